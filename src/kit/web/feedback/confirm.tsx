import { createContext, type ReactNode, use, useRef, useState } from 'react';
import { Button } from '../forms/button.tsx';
import { useDialog } from './dialog.tsx';
import { DialogActions, SheetDialog } from './sheet-dialog.tsx';

export interface Question {
  /** 'Are you sure you want to cancel this date?' */
  question: string;
  /** What else will be deleted, and that it can be restored for 30 days. */
  detail?: ReactNode;
  /** The label of the confirming button: 'Delete', 'Cancel Date', 'Clear', 'Leave'. */
  verb: string;
  /** The label of the cancelling button: 'Keep' or 'Stay'. */
  keep?: 'Keep' | 'Stay' | undefined;
}

/**
 * A modal `role=alertdialog`. The safe button has the focus, Escape cancels, and closing returns the focus. Calls
 * `onAnswer` once.
 */
export function ConfirmDialog({
  question,
  detail,
  verb,
  keep = 'Keep',
  onAnswer,
}: Question & { onAnswer: (yes: boolean) => void }) {
  const dialog = useDialog();
  return (
    <SheetDialog
      ref={dialog}
      role="alertdialog"
      title={question}
      detail={detail}
      onClose={({ returnValue }) => onAnswer(returnValue === 'yes')}
    >
      <DialogActions>
        <Button data-first onClick={() => dialog.current?.close('')}>
          {keep}
        </Button>
        <Button variant="primary" onClick={() => dialog.current?.close('yes')}>
          {verb}
        </Button>
      </DialogActions>
    </SheetDialog>
  );
}

type Confirm = (question: Question) => Promise<boolean>;
const ConfirmContext = createContext<Confirm>(() => Promise.reject(new Error('useConfirm needs a ConfirmProvider')));

/** Provides `useConfirm` and shows the open question. Wrap the app in it once. */
export function ConfirmProvider({ children }: { children: ReactNode }) {
  const [asked, setAsked] = useState<{ key: number; question: Question; answer: (yes: boolean) => void }>();
  const last = useRef(0);
  const [confirm] = useState<Confirm>(
    () => (question: Question) =>
      new Promise<boolean>((answer) => {
        last.current += 1;
        const key = last.current;
        // A new question replaces an open one, which is answered with Keep.
        setAsked((before) => {
          before?.answer(false);
          return { key, question, answer };
        });
      }),
  );
  const answer = (yes: boolean) => {
    asked?.answer(yes);
    // The close event arrives a moment late, when the next question may already be open.
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
