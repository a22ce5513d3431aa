import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { uuidv7 } from 'uuidv7';
import { problemTitle } from '../../problem.ts';
import { SECURITY_HEADERS } from './security-headers.ts';
import { messageOf, problemOf } from './send-problem.ts';

const STATUS_OF_CODE: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/**
 * Answers requests that Node's HTTP parser rejects, or that it waited for too long: with 400, 408 or 431. `track` records
 * the open responses of each connection: after a request that is still being answered, the refusal waits, so that it is
 * never written into another response.
 */
export function unparsableRequestHandler() {
  const responses = new WeakMap<Socket, Set<ServerResponse>>();
  const answered = new WeakSet<Socket>();
  // The parser stopped within the request of this response, so that response becomes the refusal.
  const isCutShort = (response: ServerResponse) => !response.req.complete;
  const refuseInTurn = (error: Error & { code?: string }, socket: Socket): void => {
    const open = [...(responses.get(socket) ?? [])];
    if (error.code === 'ECONNRESET' || !socket.writable || open.some((each) => isCutShort(each) && each.headersSent)) {
      socket.destroy();
      return;
    }
    const before = open.filter((each) => !isCutShort(each)).at(-1);
    if (before) before.once('close', () => refuseInTurn(error, socket));
    else writeProblem(socket, STATUS_OF_CODE[error.code ?? ''] ?? 400);
  };
  return {
    track: ({ socket }: IncomingMessage, response: ServerResponse): void => {
      const open = responses.get(socket) ?? new Set();
      responses.set(socket, open.add(response));
      response.once('close', () => open.delete(response));
    },
    answer: (error: Error & { code?: string }, socket: Socket): void => {
      // Every further byte raises another error.
      if (answered.has(socket)) return;
      answered.add(socket);
      refuseInTurn(error, socket);
    },
  };
}

/** Writes a problem response to a raw socket and closes it. */
function writeProblem(socket: Socket, status: number): void {
  const body = JSON.stringify(problemOf(status, messageOf(status), uuidv7()));
  socket.end(
    [
      `HTTP/1.1 ${status} ${problemTitle(status)}`,
      'Content-Type: application/problem+json',
      'cache-control: no-store',
      ...Object.entries(SECURITY_HEADERS).map(([name, value]) => `${name}: ${value}`),
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
