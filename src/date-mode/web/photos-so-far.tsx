import type { PlannedDate } from '../../dates/contract.ts';
import { Print } from '../../kit/web/album/print.tsx';
import { PrintRows } from '../../kit/web/album/print-rows.tsx';
import { Section } from '../../kit/web/layout/section.tsx';
import type { Memory } from '../../memories/contract.ts';
import { verbWithCaption } from '../../memories/gallery-texts.ts';
import { blurOf } from '../../memories/web/blur.ts';
import { FIRST_OF_DATE, useFirstMemories } from '../../memories/web/queries.ts';
import { paths } from '../../paths.ts';
import css from './photos-so-far.module.css';
import type { WaitingShot } from './waiting-shots.ts';

export interface PhotosSoFarProps {
  readonly date: PlannedDate;
  /** Those that the album does not show yet. */
  readonly shots: readonly WaitingShot[];
}

/**
 * The newest photographs of a date in progress: all that wait, underlined by the thread, then the newest six that are
 * saved. The rest is behind 'View All'.
 */
export function PhotosSoFar({ date: { id, memoryCount }, shots }: PhotosSoFarProps) {
  const { data } = useFirstMemories(id);
  const saved = data?.total ?? memoryCount;
  const count = saved + shots.length;
  return (
    <Section
      title="Photographs"
      aside={count > 0 && `${count} so far`}
      link={saved > FIRST_OF_DATE ? { href: paths.memoriesOf(id), label: 'View All' } : undefined}
    >
      {count === 0 ? (
        <p className={css.none}>None yet. The first one is a button away.</p>
      ) : (
        <div className={css.photographs}>
          <PrintRows small label="Photographs so far">
            {shots.toReversed().map((shot) => (
              <Print
                key={shot.id}
                as="li"
                className={css.waiting}
                src={shot.url}
                width={shot.width}
                height={shot.height}
                alt={shot.state === 'sending' ? 'A photograph on its way' : 'A photograph that waits to be sent'}
              />
            ))}
            {data?.memories.map((memory) => (
              <SavedPhoto key={memory.id} memory={memory} />
            ))}
          </PrintRows>
        </div>
      )}
    </Section>
  );
}

function SavedPhoto({ memory }: { memory: Memory }) {
  const { id, caption, thumbnailUrl, width, height, thumbHash } = memory;
  return (
    <Print
      as="li"
      src={thumbnailUrl}
      width={width}
      height={height}
      blur={() => blurOf(thumbHash)}
      view={{ label: verbWithCaption('View', caption), href: paths.memory(id) }}
    />
  );
}
