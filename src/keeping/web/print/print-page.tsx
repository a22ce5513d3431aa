import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useUser } from '../../../auth/web/session/use-session.ts';
import { usableZone } from '../../../base/time-zones.ts';
import { useSearchValue } from '../../../base/web/navigation/search-params.ts';
import { QueryContent } from '../../../base/web/queries/query-content.tsx';
import { DrawnPrints } from '../../../kit/web/album/drawn-prints.tsx';
import { EmptyState } from '../../../kit/web/feedback/empty-state.tsx';
import { ErrorCard } from '../../../kit/web/feedback/error-card.tsx';
import { Loading } from '../../../kit/web/feedback/loading.tsx';
import { ButtonLink } from '../../../kit/web/forms/button.tsx';
import { Page } from '../../../kit/web/layout/page.tsx';
import { paths } from '../../../paths.ts';
import { AlbumOnPaper } from './album-on-paper.tsx';
import { fetchAlbum, type PrintChoice } from './fetch-album.ts';
import { notesCache } from './notes-cache.ts';

const BACK = <ButtonLink href={paths.dates}>Back to Our Dates</ButtonLink>;

/** `/print`: the album on paper, of one date, a year, or everything (keeping.print.1). */
export default function PrintPage() {
  const user = useUser();
  const queryClient = useQueryClient();
  const [dateId] = useSearchValue('dateId');
  const [year] = useSearchValue('year');
  const zone = usableZone(user.couple.timeZone);
  const query = useQuery({
    queryKey: ['print', dateId, year, zone],
    queryFn: async ({ signal }) => {
      const cache = notesCache(queryClient, user);
      const album = await fetchAlbum(choiceOf(dateId, year), { userId: user.id, zone, cache }, signal);
      await loadFonts();
      return album;
    },
  });
  return (
    <QueryContent
      query={query}
      loading={
        <Page busy>
          <Loading message="Laying out our album..." />
        </Page>
      }
      error={(_, retry) => (
        <Page>
          <ErrorCard level={1} onRetry={retry} actions={BACK}>
            Failed to load our album. Please try again.
          </ErrorCard>
        </Page>
      )}
    >
      {(album) =>
        typeof album === 'string' || album.dates.length === 0 ? (
          <Page>
            <EmptyState drawing={<DrawnPrints />} title="Our album" level={1} actions={BACK}>
              {typeof album === 'string' ? album : 'There is no completed date to print yet.'}
            </EmptyState>
          </Page>
        ) : (
          <Page>
            <AlbumOnPaper album={album} user={user} zone={zone} />
          </Page>
        )
      }
    </QueryContent>
  );
}

function choiceOf(dateId: string | null, year: string | null): PrintChoice {
  if (dateId !== null) return { dateId };
  return year === null ? 'everything' : { year };
}

/** Without them, the texts are measured in another font than they are printed in. */
async function loadFonts(): Promise<void> {
  const fonts = ['1rem Newsreader', 'italic 1rem Newsreader'];
  await Promise.all(fonts.map((font) => document.fonts.load(font).catch(() => undefined)));
}
