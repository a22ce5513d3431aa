/** The orders: `date-…` by upload, `story-…` by when it happened, `size` largest first. */
export const SORTS = ['date-desc', 'date-asc', 'story-desc', 'story-asc', 'size'] as const;

export type MemorySort = (typeof SORTS)[number];

/** The orders that have months. */
export const TIME_SORTS = ['date-desc', 'date-asc', 'story-desc', 'story-asc'] as const satisfies readonly MemorySort[];

export type TimeSort = (typeof TIME_SORTS)[number];

/** The fields by which each order sorts. The id breaks ties, in the same direction. */
export const ORDERS = {
  'date-desc': { by: ['uploadedAt'], direction: 'desc' },
  'date-asc': { by: ['uploadedAt'], direction: 'asc' },
  'story-desc': { by: ['happenedAt', 'uploadedAt'], direction: 'desc' },
  'story-asc': { by: ['happenedAt', 'uploadedAt'], direction: 'asc' },
  size: { by: ['fileSizeBytes'], direction: 'desc' },
} as const satisfies Readonly<
  Record<
    MemorySort,
    { readonly by: readonly ('uploadedAt' | 'happenedAt' | 'fileSizeBytes')[]; readonly direction: 'asc' | 'desc' }
  >
>;

/** The field whose months an order has. */
export function timeFieldOf(sort: TimeSort): 'uploadedAt' | 'happenedAt' {
  return ORDERS[sort].by[0];
}
