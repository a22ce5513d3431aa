import { AsyncLocalStorage } from 'node:async_hooks';
import { randomInt } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Plugin } from 'vite';
import type { UploadAnswer } from './handle-calls.ts';
import type { TestApp } from './test-app.ts';

/** Headers with which a test decides what the server does by chance for one call: the time, and which card is drawn. */
const NOW = 'x-test-now';
const DRAW = 'x-test-draw';

/** The header with which a test answers a call itself: an `UploadAnswer` as JSON. */
const ANSWER = 'x-test-answer';

/**
 * Serves the real API to the tests of components, at the origin of their page: one server on SQLite and a folder for the
 * whole run, which starts with the first call. Each test registers a couple of its own, and may set the time of its calls.
 */
export function serveComponents(): Plugin {
  let app: Promise<TestApp> | undefined;
  return {
    name: 'serve-components',
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        if (!request.url?.startsWith('/api/')) return next();
        const answer = request.headers[ANSWER];
        if (typeof answer === 'string') return answerInPlace(answer, request, response);
        app ??= startServer();
        app.then(({ fastify }) => call.run(request.headers, () => fastify.routing(request, response))).catch(next);
      });
      server.httpServer?.on('close', () => void app?.then((started) => started.close()));
    },
  };
}

/** Receives a whole request, and answers it as the test says. */
function answerInPlace(answer: string, request: IncomingMessage, response: ServerResponse): void {
  const said = JSON.parse(answer) as UploadAnswer;
  if (said === 'cut') request.socket.destroy();
  if (typeof said === 'string' || said instanceof Promise) return;
  const { status, headers, body } = said;
  request.resume().on('end', () => response.writeHead(status, headers).end(body));
}

/** The headers of the call that is being answered. */
const call = new AsyncLocalStorage<IncomingHttpHeaders>();

async function startServer(): Promise<TestApp> {
  const [{ startTestApp }, { sqliteAndDisk }] = await Promise.all([import('./test-app.ts'), import('./engines.ts')]);
  return startTestApp(sqliteAndDisk, {
    now: () => Number(call.getStore()?.[NOW] ?? Date.now()),
    randomInt: (limit) => Number(call.getStore()?.[DRAW] ?? randomInt(limit)) % limit,
  });
}
