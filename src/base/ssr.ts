/** What the server renders a page with, and the browser hydrates it with: everything that the two would know differently. */
export interface SsrRequest {
  readonly path: string;
  /** With its question mark; empty where there is none. */
  readonly search: string;
  /** The server's clock, in milliseconds. */
  readonly now: number;
  /** The IANA time zone of the couple. */
  readonly zone: string;
  /** The signed-in user: a `User` of auth's contract, which base cannot import. */
  readonly user: object;
}

/** The JSON data block of a server-rendered page. */
export interface SsrData extends SsrRequest {
  /** The queries' state as TanStack Query dehydrates it. */
  readonly queries: object;
}

/** The id of the `<script type="application/json">` that holds `SsrData`. */
export const SSR_DATA_ID = 'ssr-data';

/** Set by a browser whose user signed out while the server was out of reach. No page is rendered for it. */
export const SIGN_OUT_PENDING_COOKIE = 'leaving';

const MAP = '$map';
const SET = '$set';

/** Writes the data block as JSON that is safe inside `<script>`. Maps and sets survive, too. */
export function serializeSsrData(data: SsrData): string {
  const json = JSON.stringify(data, (_, value: unknown) => {
    if (value instanceof Map) return { [MAP]: [...value] };
    return value instanceof Set ? { [SET]: [...value] } : value;
  });
  return json.replace(/[<\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Reads what `serializeSsrData` wrote. */
export function parseSsrData(json: string): SsrData {
  return JSON.parse(json, (_, value: { readonly [MAP]?: []; readonly [SET]?: [] } | null) => {
    if (value?.[MAP]) return new Map(value[MAP]);
    return value?.[SET] ? new Set(value[SET]) : value;
  }) as SsrData;
}
