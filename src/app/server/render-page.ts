import { AsyncLocalStorage } from 'node:async_hooks';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { User } from '../../auth/contract.ts';
import { ownCallHeaders } from '../../auth/server/session/authenticate.ts';
import { cookieSecret, cookieValue } from '../../auth/server/session/cookie.ts';
import type { Deps } from '../../base/server/deps.ts';
import { SIGN_OUT_PENDING_COOKIE, type SsrRequest } from '../../base/ssr.ts';

/** What `dist/server/entry-server.js` exports (src/app/web/rendering/entry-server.tsx). */
interface ServerEntry {
  provideSsrRequest(source: () => SsrRequest | null): void;
  setTransport(fetch: (path: string) => Promise<Response>): void;
  loadScreens(): Promise<void>;
  renderPage(): Promise<string | null>;
}

/** The scope of one request: what the page may know of it, and the session for its API calls. */
interface RequestScope {
  readonly page: SsrRequest;
  readonly cookieSecret: string;
  readonly clientAddress: string;
}

/**
 * Creates the server-side renderer of first pages on phones (issue 5, Speed; contract 2, One session, two carriers). It
 * returns the HTML of a page with its data. It returns null if the browser renders the page: for visitors, for desktop
 * browsers, while a sign-out is pending, and when an API call fails.
 *
 * The code of the screens loads with the first page, because a start needs none of it.
 */
export function createPageRenderer(
  fastify: FastifyInstance,
  deps: Pick<Deps, 'config' | 'databaseId' | 'now' | 'log'>,
  webRoot: string,
): (request: FastifyRequest) => Promise<string | null> {
  const entryPath = join(webRoot, '../server/entry-server.js');
  const scopes = new AsyncLocalStorage<RequestScope>();
  if (!existsSync(entryPath)) return async () => null;
  let loading: Promise<ServerEntry> | undefined;
  const load = () => {
    loading ??= loadEntry(entryPath, fastify, scopes).catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };

  return async (request) => {
    if (!isPhone(request) || !isPageLoad(request) || cookieValue(request, SIGN_OUT_PENDING_COOKIE) !== null)
      return null;
    const secret = cookieSecret(deps, request);
    if (secret === null) return null;
    try {
      const entry = await load();
      const user = await fetchUser(fastify, secret, request.ip);
      if (user === null) return null;
      const { pathname: path, search } = new URL(request.url, 'http://host.invalid');
      const page: SsrRequest = { path, search, now: deps.now(), zone: user.couple.timeZone, user };
      return await scopes.run({ page, cookieSecret: secret, clientAddress: request.ip }, () => entry.renderPage());
    } catch (error) {
      deps.log.warn({ err: error }, 'a page could not be rendered');
      return null;
    }
  };
}

async function loadEntry(path: string, fastify: FastifyInstance, scopes: AsyncLocalStorage<RequestScope>) {
  const entry = (await import(pathToFileURL(path).href)) as ServerEntry;
  entry.provideSsrRequest(() => scopes.getStore()?.page ?? null);
  entry.setTransport((url) => fetchForPage(fastify, url, scopes.getStore()));
  await entry.loadScreens();
  return entry;
}

/** Only phones get rendered pages: the server renders phone layouts, and desktop browsers render fast enough. */
function isPhone({ headers }: FastifyRequest): boolean {
  return /\bMobi/i.test(headers['user-agent'] ?? '');
}

/** Whether this is a top-level navigation; others get no data by cookie. Some browsers do not send the header. */
function isPageLoad({ headers }: FastifyRequest): boolean {
  return (headers['sec-fetch-dest'] ?? 'document') === 'document';
}

async function fetchUser(fastify: FastifyInstance, secret: string, clientAddress: string): Promise<User | null> {
  const response = await callServer(fastify, '/api/auth/session', secret, clientAddress);
  return response.statusCode === 200 ? response.json<{ user: User }>().user : null;
}

/** Makes an API call for the page that is being rendered. */
async function fetchForPage(
  fastify: FastifyInstance,
  path: string,
  scope: RequestScope | undefined,
): Promise<Response> {
  if (!scope) throw new Error('An API call was made outside a request.');
  const { statusCode, body, headers } = await callServer(fastify, path, scope.cookieSecret, scope.clientAddress);
  return new Response(statusCode === 204 ? null : body, {
    status: statusCode,
    headers: headers as Record<string, string>,
  });
}

/** Calls the server's own routes with the user's session, so a page contains only data that this user may read. */
function callServer(fastify: FastifyInstance, url: string, secret: string, remoteAddress: string) {
  return fastify.inject({ method: 'GET', url, remoteAddress, headers: ownCallHeaders(secret) });
}
