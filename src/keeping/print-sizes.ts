/*
 * The sizes of the printed album, in millimeters. A page has the same size on both papers, A4 and Letter: only the margins differ.
 */

/** What a page has room for, above its number. */
export const PAGE = { width: 178, height: 242 } as const;
/** Between the parts of a date, before the next date on a page, and between the sealed notes of a date. */
export const GAPS = { block: 4, date: 14, column: 10 } as const;
/** Between the prints of a row, and the white border of a print at each side. */
export const PRINT = { gap: 4, border: 1.5 } as const;
/** Between the edge of a sealed note and its text. */
export const SEALED_NOTE = { padding: 6 } as const;
