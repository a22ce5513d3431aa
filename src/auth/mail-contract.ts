import { z } from 'zod';
import { defineCalls } from '../base/call.ts';

/**
 * The calls that send mail to users, and those behind the links in it. All are 404 where the server sends none.
 * @param email an e-mail address
 */
export function mailCallsFor<E extends z.ZodType<string>>(email: E) {
  return defineCalls({
    'POST /api/auth/recovery-mail': {
      summary: 'Mail a link for a new password, if the address is one that a user has confirmed',
      access: 'public',
      body: z.object({ email }),
      reply: null,
    },
    'DELETE /api/auth/recovery/{stopCode}': {
      summary: 'Stop the links for a new password that the partners have made, by the code of a mail',
      access: 'public',
      reply: null,
    },
    'POST /api/auth/email-mail': {
      summary: "Mail the link again that confirms the user's e-mail",
      reply: null,
    },
    'POST /api/auth/email/{code}': {
      summary: 'Confirm an e-mail by the code of a mail',
      access: 'public',
      reply: null,
    },
    'POST /api/auth/invitations/{code}/mail': {
      summary: 'Send an invitation by mail',
      body: z.object({ email }),
      reply: null,
    },
  });
}
