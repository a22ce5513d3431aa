import { Caller } from './caller.ts';

/** The id of the session that a token belongs to. Throws if the token's session has ended. */
export async function currentSessionId(url: string, token: string): Promise<string> {
  const { body } = await new Caller(url, token).call('GET /api/auth/sessions');
  const current = body.find((session) => session.current);
  if (!current) throw new Error('This token has no session.');
  return current.id;
}
