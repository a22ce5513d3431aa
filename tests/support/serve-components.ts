import type { Plugin } from 'vite';
import type { TestApp } from './app.ts';

/**
 * Serves the real API to the tests of components, at the origin of their page: one server on SQLite and a folder for the
 * whole run, which starts with the first call. Each test registers a couple of its own.
 */
export function serveComponents(): Plugin {
  let app: Promise<TestApp> | undefined;
  return {
    name: 'serve-components',
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        if (!request.url?.startsWith('/api/')) return next();
        app ??= startServer();
        app.then(({ fastify }) => fastify.routing(request, response)).catch(next);
      });
      server.httpServer?.on('close', () => void app?.then((started) => started.close()));
    },
  };
}

async function startServer(): Promise<TestApp> {
  const [{ startTestApp }, { sqliteAndDisk }] = await Promise.all([import('./app.ts'), import('./engines.ts')]);
  return startTestApp(sqliteAndDisk);
}
