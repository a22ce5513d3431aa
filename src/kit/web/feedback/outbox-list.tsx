import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import type { CallName } from '../../../base/call.ts';
import { callsNeeding, dropCall, retryCall } from '../../../base/web/storage/outbox.ts';
import type { KeptCall } from '../../../base/web/storage/outbox-database.ts';
import { dropDraftOf, putDraft } from '../../../base/web/storage/stored-draft.ts';
import { Button } from '../forms/button.tsx';
import { Actions } from '../layout/actions.tsx';
import { focusMain } from '../layout/focus-main.ts';
import { Section } from '../layout/section.tsx';
import { useConfirm } from './confirm.tsx';
import { DISCARD_QUESTION } from './discard-question.ts';
import css from './outbox-list.module.css';
import { useOutbox } from './use-kept-on-device.ts';

export interface OutboxListProps {
  readonly owner: string;
  /** Shows only the entries of these calls. */
  readonly names: readonly CallName[];
  /** Extra buttons for an entry. */
  readonly actions?: (call: KeptCall) => ReactNode;
}

/** The outbox entries of some calls, shown above its list: unsent ones, and refused ones with what was typed. */
export function OutboxList({ owner, names, actions }: OutboxListProps) {
  const calls = useOutbox(owner).filter((call) => names.includes(call.name));
  if (calls.length === 0) return null;
  return (
    <Section title="Waiting to be sent">
      <ul className={css.waiting}>
        {calls.map((call) => (
          <li key={call.id} className={css.slip}>
            <div className={css.words}>
              <h3>{call.title}</h3>
              {call.lines.map((line) => (
                <p key={line}>{line}</p>
              ))}
              <p className={call.refused === null ? 'aside' : css.refused}>
                {call.refused === null ? 'Saved on this device until we are online.' : `Not saved: ${call.refused}`}
              </p>
            </div>
            <Actions>
              {call.refused === null ? actions?.(call) : <RefusedActions call={call} />}
              <Discard call={call} />
            </Actions>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function RefusedActions({ call }: { call: KeptCall }) {
  const [, navigate] = useLocation();
  // The form opens with what was typed, and removes this entry: saving it makes a new one. It may not open, since what
  // it is about may be gone, and the entry stays.
  const edit = () => {
    void putDraft(call.owner, call.path, { values: call.form, etag: call.ifMatch ?? null, call: call.id });
    navigate(call.path);
  };
  const retry = () => {
    void dropDraftOf(call);
    void retryCall(call);
  };
  return (
    <>
      <Button onClick={retry}>Try Again</Button>
      <Button onClick={edit}>Edit</Button>
    </>
  );
}

function Discard({ call }: { call: KeptCall }) {
  const confirm = useConfirm();
  const ask = async () => {
    const needing = await callsNeeding(call);
    const detail = needing.length > 0 && 'What we planned from it is discarded too.';
    if (!(await confirm({ ...DISCARD_QUESTION, detail }))) return;
    for (const one of [call, ...needing]) {
      await dropDraftOf(one);
      await dropCall(one.id);
    }
    focusMain();
  };
  return (
    <Button variant="text" aria-label={`Discard: ${call.title}`} onClick={() => void ask()}>
      Discard
    </Button>
  );
}
