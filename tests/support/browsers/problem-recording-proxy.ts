import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { recordProblems } from './record-problems.ts';

const PATH = '/recorder-of-problems.js';
const TAG = `<script src="${PATH}"></script>`;

/** A page of the proxy that sets the cookie in its query, because a driver's own command for that may never answer. */
export const COOKIE_PATH = '/cookie-of-test';

/** A proxy that inserts the recorder of problems as the first script of every page, and can set a session cookie. */
export interface ProblemRecordingProxy {
  /** Without a trailing slash. */
  readonly url: string;
  close(): Promise<void>;
}

/** Starts the proxy before a server. */
export async function startProblemRecordingProxy(to: string): Promise<ProblemRecordingProxy> {
  const { hostname, port } = new URL(to);
  const server = createServer((near, answer) => {
    if (near.url === PATH) {
      const headers = { 'content-type': 'text/javascript', 'cache-control': 'max-age=3600' };
      answer.writeHead(200, headers).end(`(${String(recordProblems)})();`);
      return;
    }
    if (near.url?.startsWith(`${COOKIE_PATH}?`)) {
      const cookie = decodeURIComponent(near.url.slice(COOKIE_PATH.length + 1));
      answer.writeHead(200, { 'set-cookie': `${cookie}; Path=/; HttpOnly; SameSite=Strict` }).end();
      return;
    }
    const isPage = !near.url?.startsWith('/api/') && !/\.(?!html)\w+$/.test(near.url ?? '');
    const { 'accept-encoding': encoding, ...others } = near.headers;
    const headers = isPage || encoding === undefined ? others : near.headers;
    const far = request({ hostname, port, path: near.url, method: near.method, headers }, (response) => {
      void forward(response, answer);
    });
    far.on('error', () => answer.destroy());
    answer.on('close', () => far.destroy());
    near.pipe(far);
  });
  // Uploads take as long as they take.
  server.requestTimeout = 0;
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    close: async () => {
      const closed = new Promise((done) => server.close(done));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function forward(response: IncomingMessage, answer: ServerResponse): Promise<void> {
  const { statusCode = 502, headers } = response;
  response.on('error', () => answer.destroy());
  if (!headers['content-type']?.startsWith('text/html') || headers['content-encoding'] !== undefined) {
    answer.writeHead(statusCode, headers);
    // The head of a stream of events must not wait for its first event.
    answer.flushHeaders();
    response.pipe(answer);
    return;
  }
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part as Buffer);
  const html = Buffer.from(
    Buffer.concat(parts)
      .toString()
      .replace(/<head[^>]*>/, (head) => head + TAG),
  );
  const { 'content-length': _, 'transfer-encoding': __, ...others } = headers;
  answer.writeHead(statusCode, { ...others, 'content-length': html.length }).end(html);
}
