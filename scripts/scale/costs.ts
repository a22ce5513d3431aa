/** What one request costs. */
export interface Cost {
  /** Processor time of the node, in milliseconds. */
  readonly processorMs: number;
  readonly statements: number;
  /** Bytes from the database. */
  readonly databaseBytes: number;
  /** Bytes from the store. */
  readonly storeBytes: number;
  /** Bytes of the response's body, before compression. */
  readonly clientBytes: number;
}

/**
 * Measured for version 1.0.0 on two cores of a busy machine: a couple with 50 dates, on PostgreSQL and S3. A
 * preview's bytes are those of a photograph of 12 megapixels.
 */
export const costs = {
  signIn: { processorMs: 45.1, statements: 23, databaseBytes: 1_500, storeBytes: 0, clientBytes: 300 },
  dashboard: { processorMs: 3.5, statements: 6, databaseBytes: 4_200, storeBytes: 0, clientBytes: 4_700 },
  list: { processorMs: 4.1, statements: 3, databaseBytes: 16_100, storeBytes: 0, clientBytes: 30_200 },
  gallery: { processorMs: 4.0, statements: 3, databaseBytes: 9_300, storeBytes: 0, clientBytes: 15_600 },
  thumbnail: { processorMs: 8.8, statements: 2, databaseBytes: 1_200, storeBytes: 15_200, clientBytes: 14_500 },
  preview: { processorMs: 7.8, statements: 2, databaseBytes: 1_200, storeBytes: 250_000, clientBytes: 250_000 },
  change: { processorMs: 4.3, statements: 8, databaseBytes: 1_600, storeBytes: 0, clientBytes: 200 },
  plan: { processorMs: 5.1, statements: 16, databaseBytes: 3_000, storeBytes: 0, clientBytes: 500 },
  photo: { processorMs: 262.5, statements: 18, databaseBytes: 3_700, storeBytes: 900, clientBytes: 700 },
} as const satisfies Readonly<Record<string, Cost>>;

export type RequestKind = keyof typeof costs;
