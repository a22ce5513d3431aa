import { AsyncLocalStorage } from 'node:async_hooks';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { User } from '../../auth/contract.ts';
import { ownCallHeaders } from '../../auth/server/session/authenticate.ts';
import { cookieSecret, cookieValue } from '../../auth/server/session/cookie.ts';
import { DRAWN_ID, type Drawn, type First, SIGN_OUT_PENDING_COOKIE, sumOf, writeDrawn } from '../../base/first.ts';
import type { Deps } from '../../base/server/deps.ts';

/** What `dist/drawn/drawn.js` can do; `src/app/web/drawn.tsx` says more of each. */
interface Drawer {
  readFirstFrom(next: () => First | null): void;
  reachBy(next: (path: string) => Promise<Response>): void;
  fetchScreens(): Promise<void>;
  drawScreen(): Promise<{ readonly title: string; readonly html: string; readonly found: Drawn['found'] } | null>;
}

/** One request's own surroundings, as long as its page is being drawn. */
interface RequestScope extends First {
  /** Of the browser's cookie. */
  readonly secret: string;
  /** The browser's address. */
  readonly from: string;
  /** The calls made so far, by their paths, and the sums of their answers. */
  readonly calls: Map<string, number>;
}

/**
 * Draws the page that somebody who is signed in opens first on a phone: the screen with all that it shows, so that it
 * can be seen before its scripts are here (issue 5, Speed). It comes alive when they are, and have found the same. The
 * answer is null for everybody else, and wherever anything is amiss: then the page is drawn by its scripts alone.
 */
export async function openDrawer(
  fastify: FastifyInstance,
  deps: Pick<Deps, 'config' | 'now' | 'log'>,
  webRoot: string,
): Promise<(request: FastifyRequest) => Promise<string | null>> {
  const built = join(webRoot, '../drawn/drawn.js');
  if (!existsSync(built)) return async () => null;
  const drawer = (await import(pathToFileURL(built).href)) as Drawer;
  const template = await readFile(join(webRoot, 'index.html'), 'utf8');
  const here = new AsyncLocalStorage<RequestScope>();
  drawer.readFirstFrom(() => here.getStore() ?? null);
  drawer.reachBy((path) => answerTo(fastify, path, here.getStore()));
  await drawer.fetchScreens();

  return async (request) => {
    if (!isPhone(request) || cookieValue(request, SIGN_OUT_PENDING_COOKIE) !== null) return null;
    const secret = cookieSecret(deps.config, request);
    if (secret === null) return null;
    try {
      const user = await userOf(fastify, secret, request.ip);
      if (user === null) return null;
      const { pathname: path, search } = new URL(request.url, 'http://here.invalid');
      const first: First = { path, search, now: deps.now(), zone: user.couple.timeZone, user };
      const calls: RequestScope['calls'] = new Map();
      const drawing = await here.run({ ...first, secret, from: request.ip, calls }, () => drawer.drawScreen());
      if (drawing === null) return null;
      return putTogether(template, drawing, { ...first, found: drawing.found, calls: [...calls] });
    } catch (error) {
      deps.log.warn({ err: error }, 'a first page could not be drawn');
      return null;
    }
  };
}

/** As browsers say it: a desk has a processor that draws as fast as the page comes. */
function isPhone({ headers }: FastifyRequest): boolean {
  return /\bMobi/i.test(headers['user-agent'] ?? '');
}

async function userOf(fastify: FastifyInstance, secret: string, from: string): Promise<User | null> {
  const answer = await ask(fastify, '/api/auth/session', secret, from);
  return answer.statusCode === 200 ? answer.json<{ user: User }>().user : null;
}

/** Answers a call of the page that is being drawn, as its user would be answered. */
async function answerTo(fastify: FastifyInstance, path: string, here: RequestScope | undefined): Promise<Response> {
  if (!here) throw new Error('A page asks for what nobody has opened.');
  const { statusCode, body, headers } = await ask(fastify, path, here.secret, here.from);
  here.calls.set(path, sumOf(body));
  return new Response(statusCode === 204 ? null : body, {
    status: statusCode,
    headers: headers as Record<string, string>,
  });
}

/** Asks the server itself, by the same way that a browser's call comes in: what it may see is judged there. */
function ask(fastify: FastifyInstance, url: string, secret: string, remoteAddress: string) {
  return fastify.inject({ method: 'GET', url, remoteAddress, headers: ownCallHeaders(secret) });
}

function putTogether(template: string, { title, html }: { title: string; html: string }, drawn: Drawn): string {
  // What React would have fetched first of all stands before the rest.
  const ahead = /^(?:<link rel="preload"[^>]*>)*/.exec(html)?.[0] ?? '';
  const inside = html.slice(ahead.length).replaceAll(/ style="([^"]*)"/g, (_, style: string) => unstyled(style));
  const found = `<template id="${DRAWN_ID}">${escapeHtml(writeDrawn(drawn))}</template>`;
  return (
    template
      .replace('<html lang="en">', '<html lang="en" data-drawn>')
      .replace(/<title>[^<]*<\/title>/, () => `<title>${escapeHtml(title)}</title>`)
      .replace('<title>', () => `${ahead}<title>`)
      // They come when the page has been seen.
      .replaceAll(/ *<link rel="modulepreload"[^>]*>\n?/g, '')
      .replace(/<div id="root">.*?<\/div>/s, () => `<div id="root">${inside}</div>${found}`)
  );
}

/**
 * A style as attributes: the page's policy lets none be written into it. The page puts it on when it comes alive; until
 * then its custom properties are read by the style sheet (theme.css), in browsers that can.
 */
function unstyled(style: string): string {
  const custom = [...style.matchAll(/(?:^|;)--([\w-]+):([^;]*)/g)].map(([, name, value]) => ` data-${name}="${value}"`);
  return ` data-style="${style}"${custom.join('')}`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
