import { type ComponentType, useState } from 'react';
import { useNotify } from '../../kit/web/feedback/notices.tsx';
import type { DateIdea } from '../contract.ts';
import type { DrawnIdeaProps } from './drawn-idea.tsx';
import { pickFailure, pickIdea } from './pick-idea.ts';

/** 'Pick for us': picks an idea, and loads the dialog that shows it meanwhile. */
export function usePick() {
  const notify = useNotify();
  const [isPicking, setIsPicking] = useState(false);
  const [drawn, setDrawn] = useState<{ idea: DateIdea; Card: ComponentType<DrawnIdeaProps> } | null>(null);
  const pick = async () => {
    setIsPicking(true);
    try {
      const [{ DrawnIdea }, idea] = await Promise.all([import('./drawn-idea.tsx'), pickIdea()]);
      if (idea === null) notify.status('There is no idea to pick yet.');
      else setDrawn({ idea, Card: DrawnIdea });
    } catch {
      notify.alert(pickFailure());
    }
    setIsPicking(false);
  };
  return { pick: () => void pick(), isPicking, drawn, close: () => setDrawn(null) };
}
