import { Corners } from '../../../kit/web/album/corners.tsx';
import { EmptyState } from '../../../kit/web/feedback/empty-state.tsx';
import { Button, ButtonLink } from '../../../kit/web/forms/button.tsx';
import { emptyText } from '../../gallery.ts';
import css from './empty-gallery.module.css';
import type { GalleryFilter } from './gallery-filter.ts';

/** The proportions of three photographs still to be pasted in. */
const MOUNTS = ['1.33', '0.75', '1.5'];

/** Nothing pasted yet: a row of empty mounts, one sentence, one action (spec 2, Memories gallery). */
export function EmptyGallery({ filter: { dateId, setDateId, upload } }: { filter: GalleryFilter }) {
  return (
    // In a box of its own: an empty state right under the page would draw the tools to the middle as well.
    <div>
      <div className={css.mounts} aria-hidden="true">
        {MOUNTS.map((ratio) => (
          <div key={ratio} className={css.mount} style={{ '--ar': ratio }}>
            <Corners />
          </div>
        ))}
      </div>
      <EmptyState
        title="No Memories Yet"
        actions={
          <>
            <ButtonLink variant="primary" href={upload}>
              Upload Our First Memory
            </ButtonLink>
            {dateId !== null && <Button onClick={() => setDateId(null)}>Show All Memories</Button>}
          </>
        }
      >
        {emptyText(dateId !== null)}
      </EmptyState>
    </div>
  );
}
