import { PrecacheController, type PrecacheEntry, PrecacheRoute } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { SHARE } from '../../base/share-contract.ts';
import { ACTIVATE_MESSAGE } from '../../base/worker-contract.ts';
import { handleNotifications } from './handle-notifications.ts';
import { receiveShare } from './receive-share.ts';
import { isPhotographRequest, respondWithPhotograph } from './respond-with-photograph.ts';

/**
 * The service worker. It caches the app's files, responds to every screen's URL with the same page, shows cached
 * thumbnails without a network, receives shared photographs, and shows notifications. It never caches API responses.
 */
declare const self: ServiceWorkerGlobalScope;
/** The Static Routing API, which TypeScript's types lack. */
interface RoutingInstallEvent {
  addRoutes(rule: object): Promise<void>;
}
/** The app's files; the build defines it. */
declare const FILES: PrecacheEntry[];

const shell = new PrecacheController();
// Browsers with Temporal do not need its polyfill.
shell.precache(FILES.filter(({ url }) => !('Temporal' in self) || !/\/temporal-polyfill/.test(url)));
registerRoute(new PrecacheRoute(shell, { ignoreURLParametersMatching: [] }));
registerRoute(
  new NavigationRoute(shell.createHandlerBoundToURL('/index.html'), {
    // Files and the server's own endpoints are not screens.
    denylist: [/^\/(api|assets|healthz|readyz)(\/|$|\?)/i, /^[^?]*\.\w+(\?|$)/],
  }),
);
registerRoute(
  ({ url, request }) => isPhotographRequest(url, request),
  ({ request, event }) => respondWithPhotograph(request, event),
);
registerRoute(
  ({ url }) => url.pathname === SHARE.path,
  ({ request }) => receiveShare(request),
  'POST',
);

/** The rule that sends API calls to the network. */
function apiCalls(): object {
  const urlPattern = new URLPattern({ pathname: '/api/*' });
  return { condition: { urlPattern, requestDestination: '' }, source: 'network' };
}

handleNotifications(self);

self.addEventListener('install', (event) => {
  // Browsers with static routing, which also have URLPattern, do not start this worker for API calls.
  (event as Partial<RoutingInstallEvent>).addRoutes?.(apiCalls()).catch(() => undefined);
});
// The page that registered the first worker uses it too.
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

// A new version waits for the page's message, so that it never interrupts a form or an upload.
self.addEventListener('message', ({ data }) => {
  if (data === ACTIVATE_MESSAGE) void self.skipWaiting();
});
