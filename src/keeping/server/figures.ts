import type { Reader } from '../../base/server/db/db.ts';
import { readChore } from './chore-store.ts';
import { countPhotographs } from './damage-store.ts';
import type { BackupState } from './nightly.ts';

/** How safe the whole server's photographs are, for whoever watches it. */
export interface Figures {
  readonly photographs: number;
  readonly damaged: number;
  readonly verifiedAt: number | null;
  readonly hasFailed: boolean;
}

export async function readFigures(reader: Reader): Promise<Figures> {
  const [photographs, { state }, { damaged }] = await Promise.all([
    countPhotographs(reader),
    readChore<BackupState>(reader, 'backup'),
    reader
      .selectFrom('damages')
      .select(({ fn }) => fn.countAll<number>().as('damaged'))
      .executeTakeFirstOrThrow(),
  ]);
  return {
    ...{ photographs, damaged: Number(damaged) },
    ...{ verifiedAt: state?.verifiedAt ?? null, hasFailed: state?.hasFailed ?? false },
  };
}
