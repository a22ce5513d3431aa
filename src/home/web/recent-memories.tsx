import { plural } from '../../base/number-texts.ts';
import { timeSince } from '../../base/relative-time.ts';
import { useNow } from '../../base/web/device/now.ts';
import { loadOnDemand } from '../../base/web/net/load-on-demand.tsx';
import { Print } from '../../kit/web/album/print.tsx';
import { PrintRows } from '../../kit/web/album/print-rows.tsx';
import { Section } from '../../kit/web/layout/section.tsx';
import { TextLink } from '../../kit/web/layout/text-link.tsx';
import type { Memory } from '../../memories/contract.ts';
import { blurOf } from '../../memories/web/blur.ts';
import { printOf } from '../../memories/web/print-of.ts';
import { paths } from '../../paths.ts';
import css from './dashboard-photos.module.css';

/** Loaded only without memories. */
const NoMemories = loadOnDemand(() => import('./no-memories.tsx').then((module) => module.NoMemories), {
  loading: () => <div className={css.room} />,
});

/** How many of the six requested memories are shown. */
const SHOWN = 4;

export interface RecentMemoriesProps {
  readonly memories: readonly Memory[];
  readonly total: number;
  /** Without a next date, its section links to a past date. */
  readonly hasNextDate: boolean;
}

/** The newest memories, the first of them large, and their total number (home.dashboard.12). */
export function RecentMemories({ memories, total, hasNextDate }: RecentMemoriesProps) {
  const now = useNow();
  const [lead, ...rest] = memories.slice(0, SHOWN);
  const print = (memory: Memory) => ({
    ...printOf(memory, blurOf),
    meta: timeSince(Date.parse(memory.uploadedAt), now),
  });
  return (
    <Section title="Recent Memories" aside={plural(total, 'memory', 'memories')}>
      {lead ? (
        <>
          <Print {...print(lead)} lead eager className={css.lead} src={lead.previewUrl} />
          {rest.length > 0 && (
            <PrintRows one label="More recent memories">
              {rest.map((memory) => (
                <Print key={memory.id} {...print(memory)} as="li" src={memory.thumbnailUrl} />
              ))}
            </PrintRows>
          )}
          <p>
            <TextLink href={paths.memories}>View All</TextLink>
          </p>
        </>
      ) : (
        <NoMemories hasPastLink={hasNextDate} />
      )}
    </Section>
  );
}
