import { type Cost, costs, type RequestKind } from './costs.ts';

/**
 * What a number of couples needs. Change the assumptions here, and compare with your own metrics.
 */
export const assumptions = {
  /** Requests of a couple in a week, both partners together. */
  weekly: {
    signIn: 0.2,
    dashboard: 20,
    list: 30,
    gallery: 10,
    // The browser keeps an image, so that each device reads it once.
    thumbnail: 50,
    preview: 30,
    change: 4,
    plan: 1.5,
    photo: 12,
  } satisfies Readonly<Record<RequestKind, number>>,
  /** The share of a day's requests that come in its busiest hour, an evening. */
  busiestHour: 0.12,
  /** The busiest minutes of that hour, against its average. */
  peak: 2,
  /** The share of couples with an open page at the peak, and the pages of such a couple. */
  online: 0.03,
  pagesOnline: 1.5,
  years: 3,
  originalBytes: 4_000_000,
  /** Preview and thumbnail. */
  variantBytes: 270_000,
  /** Rows and indexes: of a photo, of a date with its idea, and of the couple with its users and sessions. */
  photoRowBytes: 1_200,
  dateRowBytes: 1_500,
  coupleRowBytes: 8_000,
  /** Flushes of a write's commit: to the primary's log and to its synchronous standby's. */
  flushesPerCommit: 2,
  /** Transactions that a write commits. */
  commits: { change: 1, plan: 2, photo: 3 } satisfies Partial<Record<RequestKind, number>>,
  /** Cores of a node, and the share of them that the peak may use. */
  nodeCores: 4,
  nodeUse: 0.6,
  streamsPerNode: 5_000,
  /** What one PostgreSQL primary does on a large machine. */
  primaryStatements: 50_000,
  primaryCommits: 10_000,
  primaryBytes: 4_000_000_000_000,
} as const;

/** What a number of couples needs at the peak, and stores after the assumed years. */
export interface Need {
  readonly couples: number;
  readonly requestsPerSecond: number;
  readonly cores: number;
  readonly nodes: number;
  readonly openStreams: number;
  readonly statementsPerSecond: number;
  readonly commitsPerSecond: number;
  /** Write operations of the database's disks a second. */
  readonly flushesPerSecond: number;
  readonly databaseBytes: number;
  readonly storeBytes: number;
  readonly storedFiles: number;
  /** From the nodes to the clients, in a month. */
  readonly egressBytes: number;
  /** PostgreSQL primaries by the scarcest of statements, commits and bytes. */
  readonly primaries: number;
  readonly bottleneck: string;
}

const SECONDS_PER_HOUR = 3_600;
const kinds = Object.keys(costs) as RequestKind[];

/** The needs of a number of couples under the assumptions. */
export function needOf(couples: number): Need {
  const a = assumptions;
  const peakPerWeekly = ((couples / 7) * a.busiestHour * a.peak) / SECONDS_PER_HOUR;
  const sum = (amount: (cost: Cost, kind: RequestKind) => number) =>
    kinds.reduce((total, kind) => total + a.weekly[kind] * amount(costs[kind], kind), 0);
  const atPeak = (amount: Parameters<typeof sum>[0]) => sum(amount) * peakPerWeekly;
  const commitsOf = (kind: RequestKind) => (kind in a.commits ? a.commits[kind as keyof typeof a.commits] : 0);

  const cores = atPeak(({ processorMs }) => processorMs / 1000);
  const openStreams = couples * a.online * a.pagesOnline;
  const statementsPerSecond = atPeak(({ statements }) => statements);
  const commitsPerSecond = atPeak((_, kind) => commitsOf(kind));
  const weeks = a.years * 52;
  const photos = couples * a.weekly.photo * weeks;
  const databaseBytes =
    couples * (a.coupleRowBytes + a.weekly.plan * weeks * a.dateRowBytes) + photos * a.photoRowBytes;
  const loads = {
    'statements of the primary': statementsPerSecond / a.primaryStatements,
    'commits of the primary': commitsPerSecond / a.primaryCommits,
    'size of the database': databaseBytes / a.primaryBytes,
  };
  const [bottleneck, load] = Object.entries(loads).reduce((most, one) => (one[1] > most[1] ? one : most));
  return {
    couples,
    requestsPerSecond: atPeak(() => 1),
    cores,
    nodes: Math.max(2, Math.ceil(Math.max(cores / (a.nodeCores * a.nodeUse), openStreams / a.streamsPerNode))),
    openStreams,
    statementsPerSecond,
    commitsPerSecond,
    flushesPerSecond: commitsPerSecond * a.flushesPerCommit,
    databaseBytes,
    storeBytes: photos * (a.originalBytes + a.variantBytes),
    storedFiles: photos * 3,
    egressBytes: (sum(({ clientBytes }) => clientBytes) * couples * 30) / 7,
    primaries: Math.ceil(load),
    bottleneck,
  };
}
