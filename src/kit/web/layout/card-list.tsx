import { lazy, type ReactNode, Suspense, useDeferredValue } from 'react';
import { Grid } from './grid.tsx';

export interface CardListProps<T extends { readonly id: string }> {
  readonly items: readonly T[];
  /** The list's accessible name. */
  readonly label: string;
  /** Three columns on the desk rather than two. */
  readonly three?: boolean | undefined;
  /** The height of a card not yet seen, in pixels. */
  readonly guess: number;
  readonly children: (item: T) => ReactNode;
}

/** As many as a screen shows: they are drawn first, and the others, bit by bit, when these stand. */
const FIRST = 12;
/** Up to here every card is in the page, where the browser's own search finds it. */
const WHOLE = 200;

const VirtualCards = lazy(() => import('./virtual-cards.tsx').then((module) => ({ default: module.VirtualCards })));

/**
 * A grid of cards, one for each item. The first ones stand as fast in a list of thousands as in one of thirty; of a
 * list that is longer than `WHOLE` only what is near the screen is in the page.
 */
export function CardList<T extends { readonly id: string }>(props: CardListProps<T>) {
  return props.items.length > WHOLE ? (
    <Suspense fallback={<Cards {...props} items={props.items.slice(0, FIRST)} />}>
      <VirtualCards {...(props as unknown as CardListProps<{ readonly id: string }>)} />
    </Suspense>
  ) : (
    <GrowingCards {...props} />
  );
}

function GrowingCards<T extends { readonly id: string }>(props: CardListProps<T>) {
  const items = useDeferredValue(props.items, props.items.slice(0, FIRST));
  return <Cards {...props} items={items} />;
}

function Cards<T extends { readonly id: string }>({ items, label, three, children }: CardListProps<T>) {
  return (
    <Grid label={label} {...(three ? { three } : {})}>
      {items.map((item) => (
        <li key={item.id}>{children(item)}</li>
      ))}
    </Grid>
  );
}
