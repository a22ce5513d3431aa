import { type ComponentType, useState } from 'react';
import { client } from '../../base/web/api.ts';
import { useNotify } from '../../kit/web/feedback/notices.tsx';
import type { DateIdea, ideaCalls } from '../contract.ts';
import type { DrawnCardProps } from './drawn-card.tsx';

const api = client<typeof ideaCalls>();

/** How often 'Pick again' draws until it is another idea. One that is the only one is drawn again. */
const MAX_DRAWS = 5;

/** Draws an idea; null without any. A new draw is another one than `before`, if there is another. */
export async function drawIdea(before: DateIdea | null = null): Promise<DateIdea | null> {
  for (let draw = 1; ; draw += 1) {
    const idea = await api('GET /api/DateIdeas/pick');
    if (idea === null || idea.id !== before?.id || draw === MAX_DRAWS) return idea;
  }
}

/** The text after a failed draw. */
export function pickFailure(): string {
  return navigator.onLine
    ? 'Failed to pick an idea. Please try again.'
    : 'We are offline. Please pick again when we are online.';
}

/** 'Pick for us': draws an idea, and loads the dialog that shows it meanwhile. */
export function usePick() {
  const notify = useNotify();
  const [isPicking, setIsPicking] = useState(false);
  const [drawn, setDrawn] = useState<{ idea: DateIdea; Card: ComponentType<DrawnCardProps> } | null>(null);
  const pick = async () => {
    setIsPicking(true);
    try {
      const [{ DrawnCard }, idea] = await Promise.all([import('./drawn-card.tsx'), drawIdea()]);
      if (idea === null) notify.status('There is no idea to pick yet.');
      else setDrawn({ idea, Card: DrawnCard });
    } catch {
      notify.alert(pickFailure());
    }
    setIsPicking(false);
  };
  return { pick: () => void pick(), isPicking, drawn, close: () => setDrawn(null) };
}
