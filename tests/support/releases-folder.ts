import { join } from 'node:path';

/** The folder of the kept releases: for each its tables on both engines, and the data of a couple. */
export const RELEASES_FOLDER = join(import.meta.dirname, '../server/releases');
