import type { Memory } from '../memories/contract.ts';
import type { Year } from './contract.ts';

/** The photographs of a year's pages. A page without one has only words. */
export interface YearPhotos {
  readonly opening?: Memory | undefined;
  readonly months?: Memory | undefined;
  readonly longest?: Memory | undefined;
  readonly places?: Memory | undefined;
  readonly end?: Memory | undefined;
  /** The page with many of them; empty if the others have shown most. */
  readonly page: readonly Memory[];
}

/** How many photographs the page with many of them has at most, and from how many on there is one. */
const ON_PAGE = 10;
const FEW = 3;

/**
 * Chooses the photographs of each page, from a year's photographs in their order. No photograph is on two pages, except on
 * the page that shows many. The longest date's page has its own photograph or none.
 */
export function photosOfPages({ photographs, longestDate }: Pick<Year, 'photographs' | 'longestDate'>): YearPhotos {
  const longest = photographs.find(({ plannedDateId }) => plannedDateId === longestDate?.plannedDateId);
  const others = photographs.filter((memory) => memory !== longest);
  const named = others.find(({ caption }) => caption !== null) ?? others[0];
  const rest = others.filter((memory) => memory !== named);
  // A single photograph belongs to the opening.
  return {
    opening: named ?? longest,
    longest: named ? longest : undefined,
    end: rest.at(-1),
    months: rest.length > 1 ? rest[0] : undefined,
    places: rest.length > 2 ? rest[Math.floor(rest.length / 2)] : undefined,
    page: photographs.length < FEW ? [] : spread(photographs, ON_PAGE),
  };
}

/** At most `most` of them, evenly spread, the first and the last among them. */
function spread<T>(all: readonly T[], most: number): readonly T[] {
  if (all.length <= most) return all;
  return Array.from({ length: most }, (_, n) => all[Math.round((n * (all.length - 1)) / (most - 1))] as T);
}
