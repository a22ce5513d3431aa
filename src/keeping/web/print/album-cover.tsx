import type { User } from '../../../auth/contract.ts';
import { longDate } from '../../../base/date-formats.ts';
import { zoned } from '../../../base/instants.ts';
import { startOf } from '../../../dates/start-of.ts';
import type { Memory } from '../../../memories/contract.ts';
import { PAGE } from '../../print-sizes.ts';
import css from './album-cover.module.css';
import type { PrintedDate } from './fetch-album.ts';
import { PhotographOnPaper } from './photograph-on-paper.tsx';

interface AlbumCoverProps {
  readonly dates: readonly PrintedDate[];
  readonly user: User;
  readonly zone: string;
  /** See `leadOf`. */
  readonly photograph: Memory | undefined;
  /** Says that its photograph is loaded, or could not be. */
  readonly onSettled: () => void;
}

/** The cover: both names, the years or the one date, and a photograph. */
export function AlbumCover({ dates, user, zone, photograph, onSettled }: AlbumCoverProps) {
  const years = dates.map(({ date }) => zoned(startOf(date), zone).year);
  const [first, last] = [years[0], years.at(-1)];
  const only = dates.length === 1 ? dates[0]?.date : undefined;
  return (
    <section className={css.cover} aria-label="Cover">
      <div className={css.frame}>
        <h1>Our Love Story</h1>
        {photograph && (
          <div className={css.lead} style={{ '--ar': (photograph.width / photograph.height).toFixed(4) }}>
            <PhotographOnPaper
              memory={{ ...photograph, caption: null }}
              printedWidth={PAGE.width}
              onSettled={onSettled}
            />
          </div>
        )}
        <div>
          <p className={css.names}>
            <bdi>{user.displayName}</bdi>
            {user.partner && (
              <>
                {' & '}
                <bdi>{user.partner.displayName}</bdi>
              </>
            )}
          </p>
          {only && <p className={css.title}>{only.dateIdea.title}</p>}
          <p className={css.years}>
            {only ? longDate(startOf(only), zone) : first === last ? first : `${first} – ${last}`}
          </p>
        </div>
      </div>
    </section>
  );
}

/**
 * The photograph of the cover: the first landscape of the date with the most photographs. None of a date on which the user
 * doesn't look back.
 */
export function leadOf(dates: readonly PrintedDate[]): Memory | undefined {
  const shown = dates.filter(({ date }) => date.lookBack);
  const { memories } = shown.reduce<Pick<PrintedDate, 'memories'>>(
    (most, one) => (one.memories.length > most.memories.length ? one : most),
    { memories: [] },
  );
  return memories.find(({ width, height }) => width > height) ?? memories[0];
}
