import { suspendCouple } from '../../src/auth/server/operator/suspension-store.ts';
import { printLine } from '../lib/command.ts';
import { type AdminCommand, coupleNamed } from './admin-command.ts';
import { printDetails, readDetails } from './couple-details.ts';

/** Suspends a space: its members get a message, nobody else notices, and nothing is deleted (running.suspended.1). */
export const suspend: AdminCommand = {
  usage: 'suspend EMAIL|ID',
  arguments: 1,
  options: [],
  run: async (stores, input) => {
    const { id } = await coupleNamed(stores, input);
    await stores.db.write((tx) => suspendCouple(tx, id, Date.now()));
    if (input.json) printDetails(await readDetails(stores, await coupleNamed(stores, input)), true);
    else printLine('Suspended. Open pages notice it within seconds.');
  },
};
