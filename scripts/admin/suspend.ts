import { suspendCouple } from '../../src/auth/server/operator/suspension-store.ts';
import { type AdminCommand, coupleNamed } from './admin-command.ts';
import { printDone } from './couple-details.ts';

/** Suspends a space: its partners get a message, nobody else notices, and nothing is deleted (running.suspended.1). */
export const suspend: AdminCommand = {
  usage: 'suspend EMAIL|ID',
  arguments: 1,
  options: [],
  run: async (stores, input) => {
    const { id } = await coupleNamed(stores, input);
    await stores.db.write((tx) => suspendCouple(tx, id, Date.now()));
    await printDone(stores, input, 'Suspended. Open pages notice it within seconds.');
  },
};
