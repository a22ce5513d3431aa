import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An HTTP proxy between the server and its photo store, to simulate a store that fails for some objects. */
export interface HttpProxy {
  /** The origin of the proxy, without a path. */
  readonly url: string;
  /** Answers a request itself if it returns true; every other one reaches the target. */
  intercept: (request: IncomingMessage, response: ServerResponse) => boolean;
  close(): Promise<void>;
}

/**
 * Starts a proxy to the host of a URL, on a free port. The target sees the proxy as its host, so that signatures stay
 * valid.
 */
export async function startHttpProxy(to: string): Promise<HttpProxy> {
  const { hostname, port } = new URL(to);
  const server = createServer((near, answer) => {
    if (proxy.intercept(near, answer)) return near.resume();
    const far = request({ hostname, port, method: near.method, path: near.url, headers: near.headers }, (from) => {
      answer.writeHead(from.statusCode ?? 502, from.headers);
      from.pipe(answer);
    });
    far.on('error', () => answer.destroy());
    near.pipe(far);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = new URL(to);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  const proxy: HttpProxy = {
    url: url.origin,
    intercept: () => false,
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
  return proxy;
}
