import { contracts } from '../../src/app/server/slices.ts';
import type { CallName } from '../../src/base/call.ts';
import type { AllCalls, Caller } from './caller.ts';
import { smallPhotoForm } from './factories.ts';
import { MARKER, type Theirs } from './marked-story.ts';
import { namedCalls } from './named-calls.ts';
import { metadata, partRequest, TUS } from './tus.ts';

const NOBODY = '01890000-0000-7000-8000-000000000000';

/** The input of a call, and the expected status, 404 by default. */
export interface Attempt {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: object;
  readonly body?: unknown;
  readonly form?: () => Promise<FormData>;
  /** A tus call: its metadata headers and the part it sends. */
  readonly tus?: Parameters<Caller['request']>[2] & { readonly metadata?: Readonly<Record<string, string>> };
  readonly status?: number;
}

type Row = (theirs: Theirs) => readonly Attempt[];

const plain: Row = () => [{ status: 200 }];
const withBody =
  (status: number, body: unknown): Row =>
  () => [{ status, body }];
const onDates =
  (body?: unknown): Row =>
  ({ planned, running, done, trashedDate }) =>
    [planned, running, done, trashedDate].map((id) => ({ params: { id }, body }));
const onIdea =
  (body?: unknown): Row =>
  ({ idea }) => [{ params: { id: idea }, body }];
const onMemories: Row = ({ memory, trashedMemory }) => [memory, trashedMemory].map((id) => ({ params: { id } }));
const onTrash: Row = ({ trashedDate, trashedMemory, planned, memory }) =>
  [trashedDate, trashedMemory, planned, memory].map((id) => ({ params: { id } }));
const onUpload =
  (tus: Attempt['tus'] = { headers: TUS }): Row =>
  ({ upload }) => [{ params: { id: upload }, tus }];
const beginUpload = (PlannedDateId: string): Attempt => {
  const values = { PlannedDateId, filename: 'eve.jpg' };
  return { tus: { metadata: values, headers: { ...TUS, 'upload-length': '9', 'upload-metadata': metadata(values) } } };
};
const ofDates: Row = ({ done, trashedDate }) => [done, trashedDate].map((id) => ({ params: { plannedDateId: id } }));

const idea = { title: 'Ours', category: 'Food' };
const when = { plannedDateTime: new Date().toISOString() };
const happened = { actualStartTime: '2019-06-01T17:00:00Z', actualEndTime: '2019-06-01T20:00:00Z' };
const newEmail = () => `eve-${crypto.randomUUID()}@example.org`;
const account = { displayName: 'Eve', password: 'another quiet evening' };

/** Every call of every contract, with inputs that use a couple's ids. */
export const MATRIX: Readonly<Record<keyof AllCalls, Row>> = {
  'GET /api/auth/status': plain,
  'POST /api/auth/register': () => [{ status: 201, body: { ...account, email: newEmail() } }],
  'POST /api/auth/login': withBody(401, { email: `${MARKER}@example.org`, password: 'not at all the password' }),
  'GET /api/auth/session': plain,
  // Without an OpenID provider, as here, these don't exist.
  'POST /api/auth/oidc/start': withBody(403, { intent: 'sign-in' }),
  'GET /api/auth/oidc/callback': () => [{ query: { state: 'a', code: 'b' } }],
  'GET /api/auth/oidc/finish': () => [{}],
  'POST /api/auth/oidc/finish': withBody(403, { displayName: 'Eve', email: 'eve@example.org' }),
  'DELETE /api/auth/oidc': withBody(404, { currentPassword: 'another quiet evening' }),
  // It accepts only the cookie; without it the reply is 401.
  'POST /api/auth/renew': () => [{ status: 401 }],
  'POST /api/auth/logout': () => [{ status: 204 }],
  'GET /api/auth/sessions': plain,
  'DELETE /api/auth/sessions/{id}': ({ session }) => [{ params: { id: session } }],
  'GET /api/auth/passkeys': plain,
  'POST /api/auth/passkeys/options': withBody(400, {}),
  'POST /api/auth/passkeys': withBody(400, {}),
  'DELETE /api/auth/passkeys/{id}': ({ passkey }) => [{ params: { id: passkey } }],
  'POST /api/auth/passkeys/sign-in/options': plain,
  'POST /api/auth/passkeys/sign-in': withBody(400, {}),
  'PUT /api/auth/profile': withBody(200, { displayName: 'Eve' }),
  'PUT /api/auth/password': withBody(400, { currentPassword: 'wrong', newPassword: 'a password of ours' }),
  'PUT /api/couple': withBody(200, { togetherSince: '2020-02-02' }),
  'POST /api/auth/leave': withBody(400, { currentPassword: 'wrong' }),
  'GET /api/couple/deletion': () => [{ status: 204 }],
  'POST /api/couple/deletion': withBody(400, { currentPassword: 'wrong' }),
  'DELETE /api/couple/deletion': () => [{}],
  // A complete couple can't invite anyone.
  'POST /api/auth/invitations': () => [{ status: 409 }],
  'GET /api/auth/invitations/{code}': () => [{ params: { code: 'no-such-code' } }],
  'POST /api/auth/join': () => [{ status: 404, body: { ...account, email: newEmail(), code: 'no-such-code' } }],
  // Without mail there are none of these.
  'POST /api/auth/recovery-mail': () => [{ body: { email: `${MARKER}@example.org` } }],
  'DELETE /api/auth/recovery/{stopCode}': () => [{ params: { stopCode: 'no-such-code' } }],
  'POST /api/auth/email-mail': () => [{}],
  'POST /api/auth/email/{code}': () => [{ params: { code: 'no-such-code' } }],
  'POST /api/auth/invitations/{code}/mail': () => [{ params: { code: 'no-such-code' }, body: { email: newEmail() } }],
  'GET /api/auth/recovery': plain,
  'POST /api/auth/recovery/agree': () => [{}],
  'DELETE /api/auth/recovery': () => [{}],
  'POST /api/auth/recovery': () => [{ status: 201 }],
  'POST /api/auth/recovery/{code}': () => [
    { params: { code: 'no-such-code' }, body: { newPassword: 'a password of ours' } },
  ],
  // Its stream doesn't end. `foreign-ids.test.ts` tests it by itself.
  'GET /api/events': () => [],

  'GET /api/DateIdeas': plain,
  'POST /api/DateIdeas': withBody(201, idea),
  'GET /api/DateIdeas/active': plain,
  'GET /api/DateIdeas/categories': plain,
  'GET /api/DateIdeas/category/{category}': () => [{ status: 200, params: { category: 'Romantic' } }],
  'GET /api/DateIdeas/mutual': plain,
  'GET /api/DateIdeas/pick': () => [{ status: 204 }],
  'GET /api/DateIdeas/{id}': onIdea(),
  'PUT /api/DateIdeas/{id}': onIdea(idea),
  'DELETE /api/DateIdeas/{id}': onIdea(),
  'PUT /api/DateIdeas/{id}/heart': onIdea(),
  'DELETE /api/DateIdeas/{id}/heart': onIdea(),

  'GET /api/PlannedDates': plain,
  'POST /api/PlannedDates': ({ idea }) => [{ body: { ...when, dateIdeaId: idea } }],
  'POST /api/PlannedDates/past': ({ idea }) => [{ body: { ...happened, dateIdeaId: idea } }],
  'GET /api/PlannedDates/upcoming': plain,
  'GET /api/PlannedDates/completed': plain,
  'GET /api/PlannedDates/in-progress': plain,
  'GET /api/PlannedDates/next': () => [{ status: 204 }],
  'GET /api/PlannedDates/statuses': plain,
  'GET /api/PlannedDates/{id}': onDates(),
  'PUT /api/PlannedDates/{id}': onDates(when),
  'PUT /api/PlannedDates/{id}/record': onDates(happened),
  'DELETE /api/PlannedDates/{id}': onDates(),
  'POST /api/PlannedDates/{id}/start': onDates(),
  'POST /api/PlannedDates/{id}/complete': onDates({ actualEndTime: new Date().toISOString() }),
  'POST /api/PlannedDates/{id}/went': onDates({}),
  'POST /api/PlannedDates/{id}/went/undo': onDates(),
  'POST /api/PlannedDates/{id}/cancel': onDates(),
  'PUT /api/PlannedDates/{id}/look-back': onDates({ shown: false }),
  'GET /api/PlannedDates/{id}/calendar': onDates(),
  'GET /api/PlannedDates/{id}/notes': onDates(),
  'PUT /api/PlannedDates/{id}/notes/mine': onDates({ text: 'Ours' }),
  'DELETE /api/PlannedDates/{id}/notes/mine': onDates(),
  'GET /api/calendar': plain,
  'POST /api/calendar': () => [{ status: 201 }],
  'DELETE /api/calendar': () => [{}],
  'GET /api/calendar/{secret}.ics': () => [{ params: { secret: 'no-such-secret' } }],

  'GET /api/Memories': ({ done, trashedDate, cursor }) => [
    { query: { plannedDateId: done } },
    { query: { plannedDateId: trashedDate } },
    { query: { count: '1', cursor }, status: 200 },
    { status: 200 },
  ],
  'POST /api/Memories': ({ done, trashedDate }) => [
    { form: () => smallPhotoForm(done) },
    { form: () => smallPhotoForm(trashedDate) },
  ],
  'OPTIONS /api/Memories/tus': () => [{ status: 204, tus: { headers: TUS } }],
  'POST /api/Memories/tus': ({ done, trashedDate }) => [beginUpload(done), beginUpload(trashedDate)],
  'HEAD /api/Memories/tus/{id}': onUpload(),
  'PATCH /api/Memories/tus/{id}': onUpload(partRequest(0, Buffer.from('a piece'))),
  'DELETE /api/Memories/tus/{id}': onUpload(),
  'GET /api/Memories/months': ({ done, trashedDate }) => [
    { query: { plannedDateId: done } },
    { query: { plannedDateId: trashedDate } },
    { status: 200 },
  ],
  'GET /api/Memories/upload-info': plain,
  'POST /api/Memories/validate': () => [{ status: 200, form: () => smallPhotoForm(NOBODY) }],
  'GET /api/Memories/planned-date/{plannedDateId}': ofDates,
  'GET /api/Memories/planned-date/{plannedDateId}/stats': ofDates,
  'GET /api/Memories/image/{fileName}': ({ fileName }) => [{ params: { fileName } }],
  'GET /api/Memories/{id}': onMemories,
  'PUT /api/Memories/{id}': ({ memory, trashedMemory, planned }) => [
    ...[memory, trashedMemory].map((id) => ({ params: { id }, body: { caption: 'Ours' } })),
    { params: { id: memory }, body: { plannedDateId: planned } },
  ],
  'DELETE /api/Memories/{id}': onMemories,
  'GET /api/Memories/{id}/image': ({ memory, trashedMemory }) =>
    [memory, trashedMemory].flatMap((id) =>
      ['original', 'preview', 'thumbnail'].map((size) => ({ params: { id }, query: { size } })),
    ),
  'GET /api/Trash': plain,
  'POST /api/Trash/{id}/restore': onTrash,
  'DELETE /api/Trash/{id}': onTrash,

  'GET /api/Stats': plain,
  'GET /api/Stats/time-together': plain,
  'GET /api/Stats/dates': plain,
  'GET /api/Stats/memories': plain,
  'GET /api/Stats/categories': plain,
  'GET /api/Stats/favorite-category': () => [{ status: 204 }],
  'GET /api/Stats/achievements': plain,
  'GET /api/Stats/records': plain,
  'GET /api/Stats/celebrations': plain,
  'POST /api/Stats/celebrations': withBody(200, { milestones: ['first-date'] }),
  'GET /api/Stats/years': plain,
  'GET /api/Stats/years/{year}': () => [{ params: { year: String(new Date().getFullYear()) } }],
  'GET /api/Stats/dashboard': plain,

  'GET /api/reminders': plain,
  'PUT /api/reminders': withBody(200, { tomorrow: false }),
  'PUT /api/reminders/device': withBody(400, { endpoint: 'https://localhost/x' }),
  'DELETE /api/reminders/device': () => [{ status: 204 }],
  'GET /api/Stats/year-ago': () => [
    { status: 204, query: { day: new Date().toISOString().slice(0, 10), timeZone: 'UTC' } },
  ],

  'GET /api/Search': () => [MARKER, 'a', 'A surprise'].map((q) => ({ status: 200, query: { q } })),

  'GET /api/keeping': plain,
  'POST /api/export': () => [{ status: 201 }],
  'GET /api/export/{code}': () => [{ params: { code: 'no-such-code' } }],
};

export const CALLS = Object.values(contracts).flatMap((contract) => namedCalls(contract));
export const rowOf = (name: CallName): Row => {
  const row = (MATRIX as Readonly<Record<string, Row | undefined>>)[name];
  if (!row) throw new Error(`${name} is missing from the matrix of foreign ids`);
  return row;
};
