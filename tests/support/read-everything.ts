import { createHash } from 'node:crypto';
import { type CallName, fillPath, splitName } from '../../src/base/call.ts';
import { type Attempt, CALLS } from './call-matrix.ts';
import type { Partner } from './partner.ts';
import type { TestApp } from './test-app.ts';

/** All reading calls of all contracts. The event stream has tests of its own. */
export const READING = CALLS.map(([name]) => name).filter(
  (name) => /^(GET|HEAD) /.test(name) && name !== 'GET /api/events',
);

/** Headers that differ between any two responses. */
const ALWAYS_NEW = ['date', 'keep-alive', 'connection'];

/** The responses of calls as text, by call and path. */
export type Responses = Map<string, string>;

/** The whole response to a call as text, without what differs between any two; a file as its hash. */
export async function responseOf(who: Partner, name: CallName, path: string, body?: object): Promise<string> {
  const response = await fetch(who.url + path, {
    method: splitName(name).method,
    headers: {
      authorization: `Bearer ${who.token}`,
      'accept-encoding': 'identity',
      'tus-resumable': '1.0.0',
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    body: body ? JSON.stringify(body) : null,
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const isText = /json|text/.test(response.headers.get('content-type') ?? '');
  const content = isText ? bytes.toString() : createHash('sha256').update(bytes).digest('hex');
  const headers = [...response.headers].filter(([header]) => !ALWAYS_NEW.includes(header));
  const requestId = /"requestId":"[^"]*"/;
  return `${response.status} ${JSON.stringify(headers)}\n${content.replace(requestId, '"requestId":""')}`;
}

/**
 * Makes every reading call of every contract as a partner, the export and the calendar feed included. A new call joins by
 * itself.
 * @param attemptsOf the inputs of a call
 * @param feed the path of the partner's calendar
 */
export async function readEverything(
  { db }: Pick<TestApp, 'db'>,
  who: Partner,
  attemptsOf: (name: CallName) => readonly Attempt[],
  feed: string,
): Promise<Responses> {
  const seen: Responses = new Map();
  // The calls try wrong codes, which are limited.
  await db.write((tx) => tx.deleteFrom('tries').execute());
  for (const name of READING) {
    for (const { params = {}, query } of attemptsOf(name)) {
      const search = query ? `?${new URLSearchParams(Object.entries(query))}` : '';
      const path = fillPath(splitName(name).path, params) + search;
      seen.set(`${name} ${path}`, await responseOf(who, name, path));
    }
  }
  const exported = await who.call('POST /api/export');
  seen.set('the export', await responseOf(who, 'GET /api/export/{code}', exported.body.url));
  seen.set('the calendar feed', await responseOf(who, 'GET /api/calendar/{secret}.ics', feed));
  return seen;
}

/** The calls whose responses differ. */
export function differences(before: Responses, after: Responses): string[] {
  return [...after].filter(([call, response]) => before.get(call) !== response).map(([call]) => call);
}
