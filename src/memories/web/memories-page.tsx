import { Play, Plus } from 'lucide-react';
import { useDeferredValue, useMemo, useState } from 'react';
import { useQueryFailure } from '../../base/web/queries/use-query-failure.ts';
import type { PlannedDate } from '../../dates/contract.ts';
import { useCompletedDates, useDate } from '../../dates/web/queries.ts';
import { ErrorCard } from '../../kit/web/feedback/error-card.tsx';
import { useNotify } from '../../kit/web/feedback/notices.tsx';
import { Button, ButtonLink } from '../../kit/web/forms/button.tsx';
import { Actions } from '../../kit/web/layout/actions.tsx';
import { FloatingButton } from '../../kit/web/layout/floating-button.tsx';
import { focusMain } from '../../kit/web/layout/focus-main.ts';
import { Masthead } from '../../kit/web/layout/masthead.tsx';
import { Page } from '../../kit/web/layout/page.tsx';
import type { Memory } from '../contract.ts';
import { memoryAt, type PagedAlbum, shownCount } from '../paged-album.ts';
import { useMemoryEditing } from './edit/use-memory-editing.tsx';
import { EmptyGallery } from './gallery/empty-gallery.tsx';
import { GalleryRows } from './gallery/gallery-rows.tsx';
import { GalleryTools } from './gallery/gallery-tools.tsx';
import { useGalleryFilter } from './gallery/use-gallery-filter.ts';
import { type Slide, Slideshow } from './slideshow/slideshow.tsx';
import { useAlbum } from './use-album.ts';
import { useLinkedMemory } from './use-linked-memory.ts';
import { useMemoryDeletion } from './use-memory-deletion.ts';

/** `/memories`: the gallery with its filter, grid and list, and the slideshow (memories.gallery.1). */
export default function MemoriesPage() {
  const filter = useGalleryFilter();
  const { dateId, sort, uploadHref } = filter;
  const query = useAlbum({ dateId, sort });
  const album = useDeferredAlbum(query.data, `${dateId} ${sort}`);
  const dates = useDatesToFilterBy(dateId);
  const notify = useNotify();
  const remove = useMemoryDeletion();
  const editing = useMemoryEditing();
  const [shown, setShown] = useState<Slide | null>(null);
  const leaveLink = useLinkedMemory({ dateId, sort }, query, setShown);
  const close = () => {
    setShown(null);
    leaveLink();
  };
  const total = album && shownCount(album);
  const failure = useQueryFailure(query);
  const loading = album === undefined && failure === null;

  const startSlideshow = () => {
    if (album && total) setShown({ id: memoryAt(album, 0)?.id ?? null, place: 0 });
    else notify.alert('No memories to display in slideshow.');
  };
  const confirmDeletion = async (memory: Memory) => {
    // The focused button is gone with its print.
    if (await remove(memory)) focusMain();
  };

  return (
    <Page busy={loading}>
      <Masthead
        title="Our Memories"
        subtitle="Every photo tells the story of our love"
        actions={
          <Actions>
            <ButtonLink variant="primary" icon={<Plus />} className="desk-only" href={uploadHref} disabled={loading}>
              Upload Memory
            </ButtonLink>
            <Button icon={<Play />} disabled={!total} onClick={startSlideshow}>
              <span className="visually-hidden desk-words">View Slideshow</span>
            </Button>
          </Actions>
        }
      />
      <GalleryTools filter={filter} dates={dates} total={total} />
      {album === undefined && failure && (
        <ErrorCard onRetry={failure.retry}>Failed to load memories. Please try again.</ErrorCard>
      )}
      {total === 0 && <EmptyGallery filter={filter} />}
      {(loading || !!total) && (
        <GalleryRows
          key={`${filter.view} ${sort} ${dateId}`}
          album={album}
          filter={filter}
          onView={({ id }, place) => setShown({ id, place })}
          onEdit={editing.edit}
          onDelete={(memory) => void confirmDeletion(memory)}
        />
      )}
      <FloatingButton label="Upload Memory" href={uploadHref} disabled={loading} />
      {editing.dialog}
      {shown && <Slideshow list={{ dateId, sort }} dates={dates} start={shown} onClose={close} />}
    </Page>
  );
}

/** Defers rendering a new album, so that many sheets loading at once do not block scrolling or input. */
function useDeferredAlbum(album: PagedAlbum | undefined, list: string): PagedAlbum | undefined {
  const present = useMemo(() => ({ list, album }), [list, album]);
  const drawn = useDeferredValue(present);
  // Never show a deferred album of another list.
  return drawn.list === list ? drawn.album : album;
}

/** The completed dates, and the filtered date if it is not one of them (a date in progress has photos too). */
function useDatesToFilterBy(dateId: string | null): readonly PlannedDate[] {
  const completed = useCompletedDates();
  const missing = dateId !== null && !completed.some(({ id }) => id === dateId);
  const { data } = useDate(missing ? dateId : '');
  return missing && data ? [data.entity, ...completed] : completed;
}
