import { deleteSessions } from '../../src/auth/server/session/session-store.ts';
import { plural } from '../../src/base/number-texts.ts';
import { printLine } from '../lib/command.ts';
import { type AdminCommand, userNamed } from './admin-command.ts';

/** Ends every session of a user. */
export const signOut: AdminCommand = {
  usage: 'sign-out EMAIL',
  arguments: 1,
  options: [],
  run: async (stores, input) => {
    const { coupleId, userId } = await userNamed(stores, input);
    const sessions = await stores.db.write((tx) => deleteSessions(tx, coupleId, userId));
    printLine(input.json ? JSON.stringify({ sessions }) : `Signed out ${plural(sessions, 'device')}.`);
  },
};
