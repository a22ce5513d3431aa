import { createContext, type ReactNode, use, useEffect, useId, useRef, useState } from 'react';
import { Button } from '../forms/button.tsx';
import css from './confirm.module.css';

export interface Question {
  /** The spec's question. */
  question: string;
  /** What goes along, and that for 30 days it can still be put back. */
  detail?: ReactNode;
  /** The button that does it: 'Delete', 'Cancel Date', 'Clear', 'Leave'. */
  verb: string;
  /** The button that does not: 'Keep' or 'Stay'. */
  keep?: 'Keep' | 'Stay' | undefined;
}

/**
 * A modal `role=alertdialog` over the native `dialog`. The focus lies on the safe button, Escape keeps, and on closing
 * the focus goes back to where it was (contract 5, A confirmation). `onAnswer` is called once.
 */
export function ConfirmDialog({
  question,
  detail,
  verb,
  keep = 'Keep',
  onAnswer,
}: Question & { onAnswer: (yes: boolean) => void }) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const safe = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // It is always closed before it is dropped, so that the browser gives the focus back.
    if (!dialog.current?.open) dialog.current?.showModal();
    safe.current?.focus();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={css.dialog}
      role="alertdialog"
      aria-labelledby={`${id}-question`}
      aria-describedby={detail ? `${id}-detail` : undefined}
      onClose={(event) => onAnswer(event.currentTarget.returnValue === 'yes')}
    >
      <h2 className={css.question} id={`${id}-question`}>
        {question}
      </h2>
      {detail && (
        <p className={css.detail} id={`${id}-detail`}>
          {detail}
        </p>
      )}
      <div className={css.actions}>
        <Button ref={safe} onClick={() => dialog.current?.close('')}>
          {keep}
        </Button>
        <Button variant="primary" onClick={() => dialog.current?.close('yes')}>
          {verb}
        </Button>
      </div>
    </dialog>
  );
}

type Confirm = (question: Question) => Promise<boolean>;
const ConfirmContext = createContext<Confirm>(() => Promise.reject(new Error('no ConfirmProvider above')));

/** Holds the one open question. Stands once, around the app. */
export function ConfirmProvider({ children }: { children: ReactNode }) {
  const [asked, setAsked] = useState<{ key: number; question: Question; answer: (yes: boolean) => void }>();
  const last = useRef(0);
  const [confirm] = useState<Confirm>(
    () => (question: Question) =>
      new Promise<boolean>((answer) => {
        last.current += 1;
        const key = last.current;
        // A question that comes while another stands takes its place; the first is answered with Keep.
        setAsked((before) => {
          before?.answer(false);
          return { key, question, answer };
        });
      }),
  );
  const answer = (yes: boolean) => {
    asked?.answer(yes);
    // The browser tells a moment late that a dialog is closed: by then the next question may stand.
    setAsked((now) => (now?.key === asked?.key ? undefined : now));
  };
  return (
    <ConfirmContext value={confirm}>
      {children}
      {asked && <ConfirmDialog key={asked.key} {...asked.question} onAnswer={answer} />}
    </ConfirmContext>
  );
}

/** `if (await confirm({ question, detail, verb: 'Delete' })) …`: true for the verb, false for Keep and Escape. */
export function useConfirm(): Confirm {
  return use(ConfirmContext);
}
