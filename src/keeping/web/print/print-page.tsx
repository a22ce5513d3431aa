import { useQuery } from '@tanstack/react-query';
import { Printer } from 'lucide-react';
import type { User } from '../../../auth/contract.ts';
import { useUser } from '../../../auth/web/session/use-session.ts';
import { clockTime, longDate, usableZone, zoned } from '../../../base/time.ts';
import { useSearchValue } from '../../../base/web/navigation/search-params.ts';
import { Async } from '../../../base/web/net/async.tsx';
import { factTexts } from '../../../dates/optional-texts.ts';
import { startOf } from '../../../dates/start-of.ts';
import { actualDurationText } from '../../../dates/time-texts.ts';
import { DrawnPrints } from '../../../kit/web/album/drawn-prints.tsx';
import { EmptyState, ErrorCard } from '../../../kit/web/feedback/empty-state.tsx';
import { Loading } from '../../../kit/web/feedback/loading.tsx';
import { Button, ButtonLink } from '../../../kit/web/forms/button.tsx';
import { Page } from '../../../kit/web/layout/page.tsx';
import { WrittenText } from '../../../kit/web/written-text.tsx';
import { paths } from '../../../paths.ts';
import { usePrint } from '../../../stats/web/year/use-print.ts';
import { printRows } from '../../print-rows.ts';
import { fetchAlbum, type PrintedDate } from './fetch-album.ts';
import css from './print.module.css';

/** `/print`: the album on paper, of one date, a year, or everything (keeping.print.1). */
export default function PrintPage() {
  const user = useUser();
  const [dateId] = useSearchValue('dateId');
  const [year] = useSearchValue('year');
  const zone = usableZone(user.couple.timeZone);
  const query = useQuery({
    queryKey: ['print', dateId, year, zone],
    queryFn: ({ signal }) => fetchAlbum({ dateId, year }, zone, signal),
  });
  return (
    <Async
      query={query}
      loading={
        <Page busy>
          <Loading message="Laying out our album..." />
        </Page>
      }
      error={(_, retry) => (
        <Page>
          <ErrorCard level={1} onRetry={retry}>
            Failed to load our album. Please try again.
          </ErrorCard>
        </Page>
      )}
    >
      {(album) =>
        typeof album === 'string' || album.length === 0 ? (
          <Page>
            <EmptyState
              drawing={<DrawnPrints />}
              title="Our album"
              level={1}
              actions={<ButtonLink href={paths.dates}>Back to Our Dates</ButtonLink>}
            >
              {typeof album === 'string' ? album : 'There is no completed date to print yet.'}
            </EmptyState>
          </Page>
        ) : (
          <AlbumOnPaper album={album} user={user} zone={zone} />
        )
      }
    </Async>
  );
}

function AlbumOnPaper({ album, user, zone }: { album: readonly PrintedDate[]; user: User; zone: string }) {
  const { printing, print } = usePrint();
  const years = album.map(({ date }) => zoned(startOf(date), zone).year);
  const [first, last] = [years[0], years.at(-1)];
  return (
    <Page>
      <div className={css.bar}>
        <Button variant="primary" icon={<Printer />} busy={printing} onClick={print}>
          Print or Save as PDF
        </Button>
      </div>
      <div className={css.album} data-ui="printed">
        <header className={css.cover}>
          <h1>Our Love Story</h1>
          <p className={css.names}>
            {user.partner ? `${user.displayName} & ${user.partner.displayName}` : user.displayName}
          </p>
          <p>{first === last ? first : `${first} – ${last}`}</p>
        </header>
        {album.map((one) => (
          <DateOnPaper key={one.date.id} {...one} user={user} zone={zone} />
        ))}
      </div>
    </Page>
  );
}

function DateOnPaper({ date, memories, notes, user, zone }: PrintedDate & { user: User; zone: string }) {
  const start = startOf(date);
  const [first, ...rest] = printRows(memories).map((row) => <RowOnPaper key={row[0]?.id} row={row} />);
  return (
    <article className={css.date}>
      <div className={css.opening}>
        <h2>{date.dateIdea.title}</h2>
        <p className={css.facts}>
          {[longDate(start, zone), clockTime(start, zone), actualDurationText(date)].filter(Boolean).join(' · ')}
        </p>
        {factTexts(date).map(({ label, text }) => (
          <p key={label} className={css.facts}>
            <WrittenText>{text}</WrittenText>
          </p>
        ))}
        {date.notes !== null && (
          <p className={css.words}>
            <WrittenText>{date.notes}</WrittenText>
          </p>
        )}
        {first}
      </div>
      {rest}
      {notes.length > 0 && (
        <div className={css.letters}>
          {notes.map(({ by, note }) => (
            <blockquote key={by}>
              <p className={css.words}>{note.text}</p>
              <footer>{by === 'mine' ? user.displayName : (user.partner?.displayName ?? 'A partner who left')}</footer>
            </blockquote>
          ))}
        </div>
      )}
    </article>
  );
}

function RowOnPaper({ row }: { row: PrintedDate['memories'] }) {
  return (
    <div className={css.row}>
      {row.map(({ id, previewUrl, width, height, caption }) => (
        <figure key={id} style={{ '--ar': (width / height).toFixed(4) }}>
          <img src={previewUrl} alt={caption ?? ''} width={width} height={height} decoding="async" />
          {caption !== null && <figcaption>{caption}</figcaption>}
        </figure>
      ))}
    </div>
  );
}
