import { deleteSpace } from '../../src/auth/server/couple/deletion-sweep.ts';
import { printLine } from '../lib/command.ts';
import { type AdminCommand, coupleNamed } from './admin-command.ts';
import { printDetails, readDetails } from './couple-details.ts';

/** Deletes a couple's space. Without `--yes` it only prints what would be deleted. */
export const deleteCouple: AdminCommand = {
  usage: 'delete EMAIL|ID --yes',
  arguments: 1,
  options: ['yes'],
  run: async (stores, input) => {
    const couple = await coupleNamed(stores, input);
    const details = await readDetails(stores, couple);
    printDetails(details, input.json);
    if (!input.yes) {
      process.stderr.write('Nothing is deleted. With --yes, all of this is deleted, and nothing brings it back.\n');
      process.exitCode = 1;
      return;
    }
    const isComplete = await deleteSpace({ ...stores, now: Date.now, log: console }, couple.id);
    if (!input.json) printLine(isComplete ? 'Deleted.' : LEFT);
  },
};

const LEFT = 'Deleted. Some of its files are left; the server removes them within the hour.';
