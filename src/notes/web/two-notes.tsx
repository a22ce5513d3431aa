import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useUser } from '../../auth/web/session/use-session.ts';
import { cleanText } from '../../base/clean-text.ts';
import { clockTime, longDate } from '../../base/date-formats.ts';
import { deviceZone } from '../../base/web/device/device-zone.ts';
import { QueryContent } from '../../base/web/queries/query-content.tsx';
import type { PlannedDate } from '../../dates/contract.ts';
import { NOTES_ID } from '../../dates/notes-path.ts';
import { Announcement } from '../../kit/web/feedback/announcement.tsx';
import { ErrorCard } from '../../kit/web/feedback/error-card.tsx';
import { KeptWords } from '../../kit/web/feedback/kept-words.tsx';
import { Loading } from '../../kit/web/feedback/loading.tsx';
import { isolateNames } from '../../kit/web/isolate-names.tsx';
import type { NotesOfDate } from '../contract.ts';
import { NOTE_REFUSED, theirNameOn } from '../rules.ts';
import { Envelope } from './envelope.tsx';
import { Letter } from './letter.tsx';
import { type NoteDraft, type StoredDraft, useNoteDraft } from './note-draft.ts';
import { OwnNote } from './own-note.tsx';
import { useNotes } from './queries.ts';
import css from './two-notes.module.css';
import { useTakingBack } from './use-taking-back.ts';

/** 'What I want to remember': the two notes of a completed date (notes.9). Nothing for dates to come. */
export function TwoNotes({ date }: { date: PlannedDate }) {
  if (date.status === 'Completed') return <NotesOfCompleted key={date.id} date={date} />;
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
  const stored = useNoteDraft(id, date.id);
  if (query.data && isClosed(query.data)) return <NotesSection aside={NOTE_REFUSED.beforeJoining}>{null}</NotesSection>;
  return (
    <NotesSection aside={asideOf(query.data, partner?.displayName ?? null)}>
      <PartnerHasWritten notes={query.data} partner={partner?.displayName ?? null} />
      <QueryContent
        query={query}
        loading={<Loading message="Loading our notes..." size="small" />}
        error={(_, retry) => (
          <ErrorCard title={null} level={3} onRetry={retry}>
            Failed to load our notes. Please try again.
          </ErrorCard>
        )}
      >
        {(notes) => stored && <Pair dateId={date.id} notes={notes} fetchedAt={query.dataUpdatedAt} stored={stored} />}
      </QueryContent>
    </NotesSection>
  );
}

/** Whether the notes were opened before this partner joined, so that there is nothing to read or to write. */
function isClosed({ mine, theirs, revealed }: NotesOfDate): boolean {
  return revealed && mine === null && theirs === null;
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
function PartnerHasWritten({ notes, partner }: { notes: NotesOfDate | undefined; partner: string | null }) {
  const waits = notes?.theirsWritten ?? false;
  const [first, setFirst] = useState(notes);
  if (first === undefined && notes !== undefined) setFirst(notes);
  const isNews = first !== undefined && !first.theirsWritten && waits;
  return (
    <Announcement>
      {isNews && (notes?.revealed ? `${partner} has written. Both notes are open.` : `${partner} has written.`)}
    </Announcement>
  );
}

interface PairProps {
  readonly dateId: string;
  readonly notes: NotesOfDate;
  /** When the notes were fetched, in milliseconds. */
  readonly fetchedAt: number;
  readonly stored: StoredDraft;
}

/** Both sides: the user's own note, and the partner's. */
function Pair({ dateId, notes, fetchedAt, stored }: PairProps) {
  const { displayName, partner } = useUser();
  const theirName = theirNameOn(notes.theirs, partner?.displayName ?? null);
  const [wasOpen] = useState(notes.revealed);
  const box = useRef<HTMLDivElement>(null);
  const unfolding = !wasOpen && notes.revealed;
  const focusFirst = () => box.current?.focus();
  const waits = notes.theirsWritten && !notes.revealed;
  /** What was typed and is not in the user's own note. */
  const late = wordsBeside(notes.mine, stored.draft);
  const [isTyping, setTyping] = useState(false);
  /** The form stays while it is typed into, whatever happens to the notes meanwhile. */
  const showsLetter = notes.revealed && notes.mine !== null && !(isTyping && late !== null);
  const takingBack = useTakingBack({ dateId, notes, fetchedAt, stored, onTaken: focusFirst });
  return (
    <div ref={box} className={css.pair} data-first={waits && notes.mine === null ? 'theirs' : 'mine'} tabIndex={-1}>
      {showsLetter && notes.mine ? (
        <div className={css.mine}>
          <Letter note={notes.mine} name={displayName} unfolding={unfolding && partner !== null} />
        </div>
      ) : (
        <div className={css.mine}>
          <OwnNote
            dateId={dateId}
            notes={notes}
            stored={stored}
            hasUnsealedWords={late !== null}
            takingBack={takingBack}
            onTyping={setTyping}
            onDone={focusFirst}
          />
        </div>
      )}
      {theirName !== null && (
        <div className={css.theirs}>
          {notes.theirs ? (
            <Letter note={notes.theirs} name={theirName} unfolding={unfolding} />
          ) : (
            <TheirEnvelope notes={notes} name={theirName} />
          )}
        </div>
      )}
      {showsLetter && late !== null && (
        <section aria-label="Not in your note">
          <KeptWords words={late} onDiscard={stored.drop}>
            <p role="alert">Both notes are open now, so this is not in your note anymore. We kept it here for you.</p>
          </KeptWords>
        </section>
      )}
    </div>
  );
}

function TheirEnvelope({ notes, name }: { notes: NotesOfDate; name: string }) {
  if (notes.theirsWritten) {
    return (
      <Envelope sealed title={isolateNames(`${name} has written.`, name)}>
        Write yours to open both.
      </Envelope>
    );
  }
  if (notes.mine) {
    return (
      <Envelope title={isolateNames(`Waiting for ${name}`, name)}>
        {isolateNames(`Your note stays sealed until ${name} has written too.`, name)}
      </Envelope>
    );
  }
  return (
    <Envelope title={isolateNames(`${name} has not written yet`, name)}>
      {isolateNames(`Write first. ${name} learns only that a note is waiting.`, name)}
    </Envelope>
  );
}

/** The words of a draft, null without any or if the sealed note says the same. */
function wordsBeside(mine: NoteDraft | null, draft: NoteDraft | null): string | null {
  const words = cleanText(draft?.text ?? '');
  return words === '' || words === mine?.text ? null : words;
}
