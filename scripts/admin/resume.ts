import { resumeCouple } from '../../src/auth/server/operator/suspension-store.ts';
import { extendTrash } from '../../src/memories/server/trash-store.ts';
import { type AdminCommand, coupleNamed } from './admin-command.ts';
import { printDone } from './couple-details.ts';

/** Ends a suspension. What lies in the trash gets the time that it lasted on top of its thirty days (running.suspended.5). */
export const resume: AdminCommand = {
  usage: 'resume EMAIL|ID',
  arguments: 1,
  options: [],
  run: async (stores, input) => {
    const { id } = await coupleNamed(stores, input);
    await stores.db.write(async (tx) => extendTrash(tx, id, await resumeCouple(tx, id, Date.now())));
    await printDone(stores, input, 'Resumed.');
  },
};
