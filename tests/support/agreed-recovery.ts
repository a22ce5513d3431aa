import type { Caller } from './caller.ts';

/** Makes a link for a partner's new password, to which the partner agrees, so that it works at once. Returns its code. */
export async function makeAgreedRecovery(maker: Caller, partner: Caller): Promise<string> {
  const { body } = await maker.call('POST /api/auth/recovery');
  await partner.call('POST /api/auth/recovery/agree');
  return body.url.split('/').at(-1) ?? '';
}
