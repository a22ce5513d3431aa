import { Refusal } from '../../../base/refusal.ts';
import type { Routes } from '../../../base/server/calls/route.ts';
import type { authCalls } from '../../contract.ts';
import type { mailCallsFor } from '../../mail-contract.ts';

/** Routes for the mails to users and the links in them. */
export function mailRoutes() {
  const off = {
    find: async () => {
      throw new Refusal(404, 'This server sends no mail.');
    },
    handle: async () => null,
  };
  return {
    'POST /api/auth/recovery-mail': off,
    'DELETE /api/auth/recovery/{stopCode}': off,
    'POST /api/auth/email-mail': off,
    'POST /api/auth/email/{code}': off,
    'POST /api/auth/invitations/{code}/mail': off,
  } satisfies Pick<Routes<typeof authCalls>, keyof ReturnType<typeof mailCallsFor>>;
}
