import { type ReactNode, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import type { CallName } from '../../../base/call.ts';
import { putDraft } from '../../../base/web/draft-store.ts';
import { dropCall, type KeptCall, keptCalls, onOutbox, retryCall } from '../../../base/web/outbox.ts';
import { Button } from '../forms/button.tsx';
import { Actions } from '../layout/actions.tsx';
import { Section } from '../layout/section.tsx';
import { useConfirm } from './confirm.tsx';
import css from './waiting.module.css';

/** What this user has added offline and has not sent yet, in its order. */
export function useKept(owner: string): readonly KeptCall[] {
  const [kept, setKept] = useState<readonly KeptCall[]>([]);
  useEffect(() => {
    let gone = false;
    const look = () => {
      keptCalls(owner).then(
        (calls) => !gone && setKept(calls),
        () => undefined,
      );
    };
    look();
    const stop = onOutbox(look);
    return () => {
      gone = true;
      stop();
    };
  }, [owner]);
  return kept;
}

export interface WaitingProps {
  readonly owner: string;
  /** The call whose things stand in this list. */
  readonly name: CallName;
  /** What can be done already with a thing that waits. */
  readonly ways?: (call: KeptCall) => ReactNode;
}

/** What waits to be sent, above the list it belongs to; and what the server refused, with all that was typed. */
export function Waiting({ owner, name, ways }: WaitingProps) {
  const kept = useKept(owner).filter((call) => call.name === name);
  if (kept.length === 0) return null;
  return (
    <Section title="Waiting to be sent">
      <ul className={css.waiting}>
        {kept.map((call) => (
          <li key={call.id} className={css.slip}>
            <div className={css.words}>
              <h3>{call.title}</h3>
              {call.lines.map((line) => (
                <p key={line}>{line}</p>
              ))}
              <p className={call.refused === null ? 'aside' : css.refused}>
                {call.refused === null ? 'Kept on this device until we are online.' : `Not saved: ${call.refused}`}
              </p>
            </div>
            <Actions>
              {call.refused === null ? ways?.(call) : <Mend call={call} />}
              <Discard call={call} />
            </Actions>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Mend({ call }: { call: KeptCall }) {
  const [, navigate] = useLocation();
  // The form opens with what was typed; saved there, it is a new thing, and this one is done with.
  const edit = () => {
    putDraft({ owner: call.owner, path: call.path, typed: call.form, etag: null });
    void dropCall(call.id);
    navigate(call.path);
  };
  return (
    <>
      <Button onClick={() => void retryCall(call)}>Try Again</Button>
      <Button onClick={edit}>Edit</Button>
    </>
  );
}

function Discard({ call }: { call: KeptCall }) {
  const confirm = useConfirm();
  const ask = async () => {
    if (await confirm({ question: 'Discard this? It has not been saved anywhere else.', verb: 'Discard' }))
      await dropCall(call.id);
  };
  return (
    <Button variant="text" aria-label={`Discard: ${call.title}`} onClick={() => void ask()}>
      Discard
    </Button>
  );
}
