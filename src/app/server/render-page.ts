import { AsyncLocalStorage } from 'node:async_hooks';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { User } from '../../auth/contract.ts';
import { ownCallHeaders } from '../../auth/server/session/authenticate.ts';
import { cookieSecret, cookieValue } from '../../auth/server/session/cookie.ts';
import type { Deps } from '../../base/server/deps.ts';
import { SIGN_OUT_PENDING_COOKIE, SSR_DATA_ID, type SsrRequest, serializeSsrData } from '../../base/ssr.ts';

/** What `dist/server/entry-server.js` exports (src/app/web/rendering/entry-server.tsx). */
interface ServerEntry {
  provideSsrRequest(source: () => SsrRequest | null): void;
  setTransport(fetch: (path: string) => Promise<Response>): void;
  loadScreens(): Promise<void>;
  renderScreen(): Promise<{ readonly title: string; readonly html: string; readonly queries: object } | null>;
}

/** The scope of one request: the input of the rendering, and the session for its API calls. */
interface RequestScope extends SsrRequest {
  readonly cookieSecret: string;
  readonly clientAddress: string;
}

/**
 * Creates the server-side renderer of first pages on phones (issue 5, Speed; contract 2, One session, two carriers). It
 * returns the HTML of a page with its data. It returns null if the browser renders the page: for visitors, for desktop
 * browsers, while a sign-out is pending, and when an API call fails.
 */
export async function createPageRenderer(
  fastify: FastifyInstance,
  deps: Pick<Deps, 'config' | 'now' | 'log'>,
  webRoot: string,
): Promise<(request: FastifyRequest) => Promise<string | null>> {
  const entryPath = join(webRoot, '../server/entry-server.js');
  if (!existsSync(entryPath)) return async () => null;
  const entry = (await import(pathToFileURL(entryPath).href)) as ServerEntry;
  const fill = openTemplate(await readFile(join(webRoot, 'index.html'), 'utf8'));
  const scopes = new AsyncLocalStorage<RequestScope>();
  entry.provideSsrRequest(() => scopes.getStore() ?? null);
  entry.setTransport((path) => fetchForPage(fastify, path, scopes.getStore()));
  await entry.loadScreens();

  return async (request) => {
    if (!isPhone(request) || !isPageLoad(request) || cookieValue(request, SIGN_OUT_PENDING_COOKIE) !== null)
      return null;
    const secret = cookieSecret(deps.config, request);
    if (secret === null) return null;
    try {
      const user = await fetchUser(fastify, secret, request.ip);
      if (user === null) return null;
      const { pathname: path, search } = new URL(request.url, 'http://host.invalid');
      const ssrRequest: SsrRequest = { path, search, now: deps.now(), zone: user.couple.timeZone, user };
      const scope = { ...ssrRequest, cookieSecret: secret, clientAddress: request.ip };
      const screen = await scopes.run(scope, () => entry.renderScreen());
      if (screen === null) return null;
      return fill({ ...screen, data: serializeSsrData({ ...ssrRequest, queries: screen.queries }) });
    } catch (error) {
      deps.log.warn({ err: error }, 'a page could not be rendered');
      return null;
    }
  };
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

/**
 * Returns a function that fills the built HTML with a rendered screen.
 * @throws Error if the HTML lacks a part that the renderer replaces
 */
function openTemplate(html: string) {
  const [beforeTitle, afterTitle] = split(html, 'Our Love Story</title>');
  const [beforeRoot, afterRoot] = split(afterTitle, '<header class="opening">Our Love Story</header></div>');
  return (page: { readonly title: string; readonly html: string; readonly data: string }) =>
    [
      beforeTitle,
      `${escapeHtml(page.title)}</title>`,
      beforeRoot,
      `${page.html}</div>`,
      `<script type="application/json" id="${SSR_DATA_ID}">${page.data}</script>`,
      afterRoot,
    ].join('');
}

function split(html: string, separator: string): readonly [string, string] {
  const [before, after, ...more] = html.split(separator);
  if (before === undefined || after === undefined || more.length > 0) {
    throw new Error(`index.html must contain '${separator}' exactly once.`);
  }
  return [before, after];
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
