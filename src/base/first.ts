/** What the first page is drawn with: by the server, and once more here, while what it has drawn comes alive. */
export interface First {
  readonly path: string;
  /** With its question mark; empty where there is none. */
  readonly search: string;
  /** The server's clock, in milliseconds. */
  readonly now: number;
  /** The zone whose days and hours are drawn. */
  readonly zone: string;
  /** Who is here, as the contract of signing in has it. */
  readonly user: object;
}

/** The same with what was found for the page. */
export interface Drawn extends First {
  /** What the screen shows, by its query's key. */
  readonly found: readonly (readonly [key: readonly unknown[], data: unknown])[];
  /** The calls that answered it, by their paths, and the sums of their answers. */
  readonly calls: readonly (readonly [path: string, sum: number])[];
}

/** Where `Drawn` lies in the page: the text of this `template`. */
export const DRAWN_ID = 'drawn';

/** The cookie by which a browser reports that its user has signed out although the server could not be told yet. */
export const SIGN_OUT_PENDING_COOKIE = 'leaving';

/** Writes what was found as text; maps and sets too, which JSON does not know. */
export function writeDrawn(drawn: Drawn): string {
  return JSON.stringify(drawn, (_, value: unknown) => {
    if (value instanceof Map) return { [MAP]: [...value] };
    return value instanceof Set ? { [SET]: [...value] } : value;
  });
}

/** Reads what `writeDrawn` has written. */
export function readDrawn(text: string): Drawn {
  return JSON.parse(text, (_, value: { readonly [MAP]?: []; readonly [SET]?: [] } | null) => {
    if (value?.[MAP]) return new Map(value[MAP]);
    return value?.[SET] ? new Set(value[SET]) : value;
  }) as Drawn;
}

const MAP = '$map';
const SET = '$set';

/** A sum by which two answers are told apart (FNV-1a, 32 bits): against change, not against forgery. */
export function sumOf(text: string): number {
  let sum = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193);
  return sum >>> 0;
}
