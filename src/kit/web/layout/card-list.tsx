import { type ReactNode, useDeferredValue } from 'react';
import { loadOnDemand } from '../../../base/web/net/load-on-demand.tsx';
import { Grid } from './grid.tsx';

export interface CardListProps<T extends { readonly id: string }> {
  readonly items: readonly T[];
  /** The list's accessible name. */
  readonly label: string;
  /** Three columns on wide screens instead of two. */
  readonly three?: boolean | undefined;
  /** The estimated height of a card that has not been measured, in pixels. */
  readonly estimatedHeight: number;
  readonly children: (item: T) => ReactNode;
}

/** The cards of the first render, about one screen. The rest follow in a deferred render. */
const FIRST_CARDS = 12;
/** Up to this length every card is in the page, so that the browser's search finds it. Longer lists are virtual. */
const VIRTUAL_ABOVE = 200;

const VirtualCards = loadOnDemand<CardListProps<{ readonly id: string }>>(
  () => import('./virtual-cards.tsx').then((module) => module.VirtualCards),
  {
    loading: (props) => <Cards {...props} items={props.items.slice(0, FIRST_CARDS)} />,
    failed: (props) => <DeferredCards {...props} />,
  },
);

/**
 * A grid of cards, one per item. The first cards appear as fast in a list of thousands as in a short one, and only the
 * cards near the screen of a list longer than `VIRTUAL_ABOVE` are in the page.
 */
export function CardList<T extends { readonly id: string }>(props: CardListProps<T>) {
  return props.items.length > VIRTUAL_ABOVE ? (
    <VirtualCards {...(props as unknown as CardListProps<{ readonly id: string }>)} />
  ) : (
    <DeferredCards {...props} />
  );
}

/** Defers which cards are in the list, but not what is on them: a pressed button of a card changes at once. */
function DeferredCards<T extends { readonly id: string }>(props: CardListProps<T>) {
  const listed = useDeferredValue(props.items, props.items.slice(0, FIRST_CARDS));
  const current = new Map(props.items.map((item) => [item.id, item]));
  return <Cards {...props} items={listed.map((item) => current.get(item.id) ?? item)} />;
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
