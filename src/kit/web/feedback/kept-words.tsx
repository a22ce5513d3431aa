import { type ReactNode, useRef } from 'react';
import { cx } from '../cx.ts';
import { Button } from '../forms/button.tsx';
import { Actions } from '../layout/actions.tsx';
import { focusMain } from '../layout/focus-main.ts';
import { useConfirm } from './confirm.tsx';
import { DISCARD_QUESTION } from './discard-question.ts';
import css from './kept-words.module.css';
import { useCopy } from './use-copy.ts';

export interface KeptWordsProps {
  readonly words: string;
  readonly onDiscard: () => void;
  /** Says why they are here. */
  readonly children: ReactNode;
}

/** Words that could not be saved where they belong. They are selected where the browser can't copy them. */
export function KeptWords({ words, onDiscard, children }: KeptWordsProps) {
  const shown = useRef<HTMLParagraphElement>(null);
  const copy = useCopy('the words');
  const confirm = useConfirm();
  const discard = async () => {
    if (!(await confirm(DISCARD_QUESTION))) return;
    onDiscard();
    focusMain();
  };
  const copyOrSelect = async () => {
    if (!(await copy(words)) && shown.current) getSelection()?.selectAllChildren(shown.current);
  };
  return (
    <div className={css.kept}>
      {children}
      <p ref={shown} className={cx('felt', css.words)}>
        {words}
      </p>
      <Actions>
        <Button onClick={() => void copyOrSelect()}>Copy</Button>
        <Button variant="text" onClick={() => void discard()}>
          Discard
        </Button>
      </Actions>
    </div>
  );
}
