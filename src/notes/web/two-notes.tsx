import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useUser } from '../../auth/web/session/use-session.ts';
import { cleanText } from '../../base/text.ts';
import { clockTime, longDate } from '../../base/time.ts';
import { Async, asApiError } from '../../base/web/async.tsx';
import { deviceZone } from '../../base/web/now.ts';
import type { PlannedDate } from '../../dates/contract.ts';
import { NOTES_ID } from '../../dates/notes-path.ts';
import { ErrorCard } from '../../kit/web/feedback/empty-state.tsx';
import { Loading } from '../../kit/web/feedback/loading.tsx';
import { useNotify } from '../../kit/web/feedback/notices.tsx';
import { Button } from '../../kit/web/forms/button.tsx';
import { Actions } from '../../kit/web/layout/actions.tsx';
import type { NotesOfDate } from '../contract.ts';
import { Envelope } from './envelope.tsx';
import { LateWords } from './late-words.tsx';
import { Letter } from './letter.tsx';
import { type NoteDraft, useNoteDraft } from './note-drafts.ts';
import { NoteForm } from './note-form.tsx';
import { useNotes, useSealNote, useTakeBack } from './queries.ts';
import css from './two-notes.module.css';

const EMPTY: NoteDraft = { text: '', hearts: null };

/** 'What I want to remember': the two notes of a completed date (contract 6, Two notes). Nothing for dates to come. */
export function TwoNotes({ date }: { date: PlannedDate }) {
  if (date.status === 'Completed') return <NotesOfCompleted date={date} />;
  if (date.status !== 'InProgress') return null;
  return (
    <NotesSection aside="When our date is completed, we can each write a note here. They open together.">
      {null}
    </NotesSection>
  );
}

/** The section with its heading. It takes the focus and scrolls into view when a link leads to it. */
function NotesSection({ aside, children }: { aside: string; children: ReactNode }) {
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (location.hash !== `#${NOTES_ID}`) return;
    heading.current?.scrollIntoView({ block: 'start' });
    heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <section id={NOTES_ID} className={css.notes} aria-labelledby={id}>
      <div className={css.head}>
        <h2 ref={heading} id={id} tabIndex={-1}>
          What I want to remember
        </h2>
        <p className="aside">{aside}</p>
      </div>
      {children}
    </section>
  );
}

function NotesOfCompleted({ date }: { date: PlannedDate }) {
  const { id, partner } = useUser();
  const query = useNotes(date.id, partner?.id ?? null);
  const [draft, keepDraft] = useNoteDraft(id, date.id);
  return (
    <NotesSection aside={asideOf(query.data, partner?.displayName ?? null)}>
      <Announcement notes={query.data} partner={partner?.displayName ?? null} />
      <Async
        query={query}
        loading={<Loading message="Loading our notes..." size="small" />}
        error={(_, retry) => (
          <ErrorCard title={null} level={3} onRetry={retry}>
            Failed to load our notes. Please try again.
          </ErrorCard>
        )}
      >
        {(notes) => draft !== undefined && <Pair dateId={date.id} notes={notes} draft={draft} keepDraft={keepDraft} />}
      </Async>
    </NotesSection>
  );
}

/** The sentence beside the heading. */
function asideOf(notes: NotesOfDate | undefined, partner: string | null): string {
  if (notes?.revealed && notes.mine && notes.theirs) {
    const at = Math.max(Date.parse(notes.mine.writtenAt), Date.parse(notes.theirs.writtenAt));
    return `Opened on ${longDate(at, deviceZone())}, at ${clockTime(at, deviceZone())}.`;
  }
  if (partner === null) return notes?.mine ? '' : 'A few lines, before it blurs.';
  if (notes?.mine) return `Sealed. You can still change it; ${partner} cannot read it.`;
  return 'A few lines each. They open together, when we have both written.';
}

/** Tells a screen reader what the partner did while the page was open. */
function Announcement({ notes, partner }: { notes: NotesOfDate | undefined; partner: string | null }) {
  const waits = notes?.theirsWritten ?? false;
  const [first, setFirst] = useState(notes);
  if (first === undefined && notes !== undefined) setFirst(notes);
  const isNews = first !== undefined && !first.theirsWritten && waits;
  return (
    <p className="visually-hidden" role="status">
      {isNews && (notes?.revealed ? `${partner} has written. Both notes are open.` : `${partner} has written.`)}
    </p>
  );
}

interface PairProps {
  readonly dateId: string;
  readonly notes: NotesOfDate;
  readonly draft: NoteDraft | null;
  readonly keepDraft: (draft: NoteDraft | null) => void;
}

/** Both sides: the own note, and the partner's. */
function Pair({ dateId, notes, draft, keepDraft }: PairProps) {
  const { displayName, partner } = useUser();
  const [wasOpen] = useState(notes.revealed);
  const box = useRef<HTMLDivElement>(null);
  const unfolding = !wasOpen && notes.revealed;
  const focusFirst = () => box.current?.focus();
  const waits = notes.theirsWritten && !notes.revealed;
  /** What was typed when the notes were opened. */
  const late = cleanText(draft?.text ?? '');
  return (
    <div ref={box} className={css.pair} data-first={waits && notes.mine === null ? 'theirs' : 'mine'} tabIndex={-1}>
      {notes.revealed && notes.mine ? (
        <div className={css.mine}>
          <Letter note={notes.mine} name={displayName} unfolding={unfolding && partner !== null} />
        </div>
      ) : (
        <div className={css.mine}>
          <OwnNote dateId={dateId} notes={notes} draft={draft} keepDraft={keepDraft} onDone={focusFirst} />
        </div>
      )}
      {partner !== null && (
        <div className={css.theirs}>
          {notes.theirs ? (
            <Letter note={notes.theirs} name={partner.displayName} unfolding={unfolding} />
          ) : (
            <TheirEnvelope notes={notes} name={partner.displayName} />
          )}
        </div>
      )}
      {notes.revealed && late !== '' && late !== notes.mine?.text && (
        <LateWords words={late} onDiscard={() => keepDraft(null)} />
      )}
    </div>
  );
}

function TheirEnvelope({ notes, name }: { notes: NotesOfDate; name: string }) {
  if (notes.theirsWritten) {
    return (
      <Envelope sealed title={`${name} has written.`}>
        Write yours to open both.
      </Envelope>
    );
  }
  if (notes.mine) {
    return <Envelope title={`Waiting for ${name}`}>{`Your note stays sealed until ${name} has written too.`}</Envelope>;
  }
  return (
    <Envelope
      title={`${name} has not written yet`}
    >{`Write first. ${name} learns only that a note is waiting.`}</Envelope>
  );
}

/** The own note before both are open: its form, or the sealed letter. */
function OwnNote({ dateId, notes, draft, keepDraft, onDone }: PairProps & { onDone: () => void }) {
  const { displayName, partner } = useUser();
  const partnerId = partner?.id ?? null;
  const { mine, theirsWritten } = notes;
  const [isChanging, setChanging] = useState(mine !== null && draft !== null);
  const seal = useSealNote(dateId, partnerId);
  const takeBack = useTakeBack(dateId, partnerId);
  const notify = useNotify();
  const done = () => {
    setChanging(false);
    keepDraft(null);
    onDone();
  };
  if (mine === null || isChanging) {
    return (
      <NoteForm
        initial={draft ?? mine ?? EMPTY}
        {...textsOf(partner !== null, theirsWritten)}
        onType={keepDraft}
        onSeal={async (note) => {
          const now = await seal.mutateAsync(note);
          if (partner === null) notify.status('Your note is kept');
          else notify.status(now.revealed ? 'Both notes are open' : 'Your note is sealed');
          done();
        }}
        onCancel={mine && done}
      />
    );
  }
  const take = () => {
    // The words are not lost: the form starts with them.
    keepDraft({ text: mine.text, hearts: mine.hearts });
    takeBack.mutate(undefined, {
      onSuccess: () => {
        notify.status('You took your note back');
        onDone();
      },
      onError: (error) => {
        keepDraft(null);
        notify.alert(asApiError(error).said ?? 'Failed to take your note back. Please try again.');
      },
    });
  };
  return (
    <>
      <Letter note={mine} name={displayName} />
      <Actions className={css.actions}>
        <Button onClick={() => setChanging(true)}>Change my note</Button>
        <Button variant="text" busy={takeBack.isPending} onClick={take}>
          Take it back
        </Button>
      </Actions>
    </>
  );
}

/** What the form's button does. */
function textsOf(hasPartner: boolean, theirsWritten: boolean): { verb: string; hint: string } {
  if (!hasPartner) return { verb: 'Keep my note', hint: 'It can’t be changed after that' };
  if (theirsWritten) return { verb: 'Open both notes', hint: 'Neither can be changed after that' };
  return { verb: 'Seal my note', hint: 'Sealed until we have both written' };
}
