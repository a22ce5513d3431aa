import { PrecacheController, type PrecacheEntry, PrecacheRoute } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { BEGIN, SHARE } from '../../base/kept-here.ts';
import { receivePushes } from './push.ts';
import { handOver } from './share-target.ts';
import { isPhotograph, showPhotograph } from './thumbnails.ts';

/**
 * The service worker. It keeps the app's own files, answers every screen's address with the one page, shows small
 * photographs where there is no network, and takes what other apps share. It never keeps an answer of the API, and
 * never answers for one.
 */
declare const self: ServiceWorkerGlobalScope;
/** The browsers' static routing, which the types do not know yet. */
interface RoutingInstallEvent {
  addRoutes(rule: object): Promise<void>;
}
/** Put here by the build: the app's files. */
declare const FILES: PrecacheEntry[];

const shell = new PrecacheController();
// The stand-in for Temporal is of use only where the browser has none.
shell.precache(FILES.filter(({ url }) => !('Temporal' in self) || !/\/temporal-polyfill/.test(url)));
registerRoute(new PrecacheRoute(shell, { ignoreURLParametersMatching: [] }));
registerRoute(
  new NavigationRoute(shell.createHandlerBoundToURL('/index.html'), {
    // What has a file's ending, and what the server says in its own name, is asked for as it is.
    denylist: [/^\/(api|assets|healthz|readyz)(\/|$|\?)/i, /^[^?]*\.\w+(\?|$)/],
  }),
);
registerRoute(
  ({ url, request }) => isPhotograph(url, request),
  ({ request, event }) => showPhotograph(request, event),
);
registerRoute(
  ({ url }) => url.pathname === SHARE.path,
  ({ request }) => handOver(request),
  'POST',
);

receivePushes(self);

self.addEventListener('install', (event) => {
  // Where the browser can be told so, calls of the API do not even wake this worker.
  const calls = { condition: { urlPattern: new URLPattern({ pathname: '/api/*' }), requestDestination: '' } };
  (event as Partial<RoutingInstallEvent>).addRoutes?.({ ...calls, source: 'network' }).catch(() => undefined);
});
// The page that was there before its first worker shows photographs through it as well.
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

// A new version waits until the page says so: never in the middle of a form or an upload.
self.addEventListener('message', ({ data }) => {
  if (data === BEGIN) void self.skipWaiting();
});
