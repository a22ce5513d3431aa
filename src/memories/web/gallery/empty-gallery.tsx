import { Corners } from '../../../kit/web/album/corners.tsx';
import { EmptyState } from '../../../kit/web/feedback/empty-state.tsx';
import { Button, ButtonLink } from '../../../kit/web/forms/button.tsx';
import { paths } from '../../../paths.ts';
import { emptyText } from '../../gallery-texts.ts';
import css from './empty-gallery.module.css';
import type { GalleryFilter } from './use-gallery-filter.ts';

/** The proportions of the three empty mounts. */
const MOUNTS = ['1.33', '0.75', '1.5'];

/** The empty gallery: a row of empty mounts, one sentence, one action. */
export function EmptyGallery({ filter: { dateId, setDateId, uploadHref } }: { filter: GalleryFilter }) {
  return (
    // The extra div keeps the page from centering the tools with the empty state.
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
            <ButtonLink variant="primary" href={uploadHref}>
              Upload Our First Memory
            </ButtonLink>
            <ButtonLink href={paths.pastDate}>Add a Past Date</ButtonLink>
            {dateId !== null && <Button onClick={() => setDateId(null)}>Show All Memories</Button>}
          </>
        }
      >
        {emptyText(dateId !== null)}
      </EmptyState>
    </div>
  );
}
