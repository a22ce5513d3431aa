import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import Fastify, { LogController } from 'fastify';
import { uuidv7 } from 'uuidv7';
import { Refusal, titleOf } from '../../refusal.ts';
import type { Config } from '../process/config.ts';
import { answerError, messageOf, problemOf, sendProblem } from './errors.ts';

/** The content type of a part of a file in a resumable upload (tus). */
export const UPLOAD_PART_TYPE = 'application/offset+octet-stream';
/** The largest JSON body, in bytes. */
export const JSON_LIMIT = 1_048_576;

/** Timeouts of a request in milliseconds. Slower requests get 408. */
export interface Timeouts {
  readonly headers: number;
  /** For a complete JSON body. */
  readonly json: number;
  /** For a complete request: an upload may take half an hour, more than Node's default of 5 minutes. */
  readonly request: number;
  /** For the next byte in either direction. */
  readonly idle: number;
  /** For the rest of a body after the response. */
  readonly unread: number;
}

const DEFAULT_TIMEOUTS: Timeouts = {
  headers: 20_000,
  json: 30_000,
  request: 45 * 60_000,
  idle: 120_000,
  unread: 60_000,
};

/** Creates a Fastify with case-insensitive paths, problem details, JSON in UTF-8 only, and security headers. */
export function createHttp(
  config: Pick<Config, 'trustProxy' | 'logLevel' | 'publicUrl'>,
  timeoutsOf: (usual: Timeouts) => Timeouts = (usual) => usual,
): FastifyInstance {
  const timeouts = timeoutsOf(DEFAULT_TIMEOUTS);
  const malformedRequests = handleMalformedRequests();
  const fastify = Fastify({
    bodyLimit: JSON_LIMIT,
    requestTimeout: timeouts.request,
    connectionTimeout: timeouts.idle,
    // The nearest proxy is hop 0. Only the configured number of proxies is trusted.
    trustProxy: (_address: string, hop: number) => hop < config.trustProxy,
    genReqId: () => uuidv7(),
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: 'idle',
    // While the server closes, a request on an open connection is answered like any other.
    return503OnClosing: false,
    // Node checks its sockets at this interval and closes those that timed out.
    http: { headersTimeout: timeouts.headers, connectionsCheckingInterval: Math.min(30_000, timeouts.headers) },
    logger:
      config.logLevel === 'silent'
        ? false
        : {
            level: config.logLevel,
            base: null,
            stream: process.stderr,
            serializers: { err: plainError },
          },
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, maxParamLength: 4_096 },
    clientErrorHandler: malformedRequests.answer,
    frameworkErrors: (error, request, reply) => {
      const status = error.code === 'FST_ERR_BAD_URL' ? 404 : (error.statusCode ?? 400);
      request.log.debug({ code: error.code }, 'refused by the router');
      // No hook runs if the router rejects a request.
      reply.headers({ ...HEADERS, ...hsts(config, request) });
      sendProblem(reply as never, { status, message: messageOf(status) });
    },
  });
  fastify.server.on('request', malformedRequests.track);
  readOutermostProxy(fastify, config.trustProxy);
  addHeaders(fastify, config);
  logAnswers(fastify);
  addBodyParsers(fastify);
  abortSlowJson(fastify, timeouts.json);
  discardUnread(fastify, timeouts.unread);
  fastify.setErrorHandler(answerError);
  return fastify;
}

/**
 * Keeps of these headers what the outermost trusted proxy said: it is the one that the browser spoke to. Each proxy may
 * append its own word ('https, http'), and Fastify would read the last one.
 */
function readOutermostProxy(fastify: FastifyInstance, trusted: number): void {
  fastify.addHook('onRequest', ({ raw: { headers } }, _reply, done) => {
    for (const name of ['x-forwarded-proto', 'x-forwarded-host']) {
      const words = String(headers[name] ?? '').split(',');
      if (words.length > 1) headers[name] = words.at(-Math.min(trusted, words.length)) ?? '';
    }
    done();
  });
}

const HSTS_SECONDS = 31_536_000;

/** The page's Content-Security-Policy: its own files and images that it creates. Nothing inline, no frames. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "media-src 'self' blob:",
  "manifest-src 'self'",
  "worker-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join(';');

/** Sent with every response, also to malformed requests. */
const HEADERS = {
  'content-security-policy': PAGE_POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'permissions-policy': 'camera=(self), microphone=(), geolocation=(), payment=(), usb=()',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

/** Returns the HSTS header if the public URL or a trusted proxy says that the request uses HTTPS. */
function hsts({ publicUrl }: Pick<Config, 'publicUrl'>, { protocol }: Pick<FastifyRequest, 'protocol'>) {
  const secure = publicUrl?.startsWith('https:') || protocol === 'https';
  return secure ? { 'strict-transport-security': `max-age=${HSTS_SECONDS}; includeSubDomains` } : {};
}

/** Sets the headers early, so that a route can override them with stricter ones. */
function addHeaders(fastify: FastifyInstance, config: Pick<Config, 'publicUrl'>): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.headers(HEADERS).headers(hsts(config, request));
    done();
  });
}

/**
 * Serializes an error for the log: type, message and stack only. Drivers attach more, such as the values of a rejected
 * row or the headers of a request, which must not be logged.
 */
function plainError(error: unknown): PlainError {
  if (!(error instanceof Error)) return { type: typeof error, message: 'Not an Error', stack: '' };
  const { name: type, message, stack = '', cause } = error;
  return {
    type,
    message,
    stack,
    ...('code' in error ? { code: error.code } : {}),
    ...(cause === undefined ? {} : { cause: plainError(cause) }),
  };
}

interface PlainError {
  readonly [more: string]: unknown;
  readonly type: string;
  readonly message: string;
  readonly stack: string;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Returns the log fields of a security event; null for other responses. */
    eventOf?: (request: FastifyRequest, status: number) => object | null;
  }
}

/**
 * Logs one line per response, with the request's id. It has the route, not the URL, which may contain a code or an id.
 * Errors and security events have the level `info`, other responses `debug`.
 */
function logAnswers(fastify: FastifyInstance): void {
  fastify.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions } = request;
    const status = reply.statusCode;
    const event = routeOptions.config.eventOf?.(request, status) ?? null;
    const level = status >= 400 || event !== null ? 'info' : 'debug';
    const line = { method, route: routeOptions.url ?? null, status, ms: Math.round(reply.elapsedTime), ...event };
    request.log[level](line, event === null ? 'answered' : 'security event');
  });
}

/** Accepts JSON in UTF-8 and forms. Other types get 415, invalid UTF-8 gets 400. */
function addBodyParsers(fastify: FastifyInstance): void {
  const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  fastify.removeAllContentTypeParsers();
  // A form isn't read here: its route streams it to the disk, and `serve` rejects it on other routes.
  fastify.addContentTypeParser('multipart/form-data', (_request, _body, done) => done(null));
  // The same applies to a part of a file.
  fastify.addContentTypeParser(UPLOAD_PART_TYPE, (_request, _body, done) => done(null));
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const encoding = request.headers['content-encoding'] ?? 'identity';
    const charset = /;\s*charset="?([^";]+)"?/i.exec(request.headers['content-type'] ?? '')?.[1] ?? 'utf-8';
    if (encoding !== 'identity' || !/^utf-?8$/i.test(charset.trim())) {
      done(new Refusal(415, 'JSON must be UTF-8 and uncompressed.'));
      return;
    }
    try {
      const text = utf8.decode(body as Buffer).replace(/^\ufeff/, '');
      done(null, text.trim() === '' ? undefined : JSON.parse(text));
    } catch {
      done(new Refusal(400, 'The request is not valid JSON.'));
    }
  });
}

/** Aborts slow JSON bodies (408). Only photos may take longer. */
function abortSlowJson(fastify: FastifyInstance, ms: number): void {
  fastify.addHook('onRequest', async (request, reply) => {
    if (request.raw.complete || !/^application\/json/i.test(request.headers['content-type'] ?? '')) return;
    const timer = setTimeout(() => {
      if (request.raw.complete || reply.sent) return;
      sendProblem(reply.header('connection', 'close'), { status: 408, message: messageOf(408) });
      reply.raw.once('finish', () => request.raw.destroy());
    }, ms);
    timer.unref();
    reply.raw.once('close', () => clearTimeout(timer));
    request.raw.once('end', () => clearTimeout(timer));
  });
}

/**
 * Discards the rest of a body that a handler stopped reading, for a limited time. Some clients read the response only
 * after they have sent everything. While nothing is read, the server also doesn't notice that a client has gone.
 */
function discardUnread(fastify: FastifyInstance, ms: number): void {
  fastify.addHook('onResponse', async ({ raw }) => {
    if (raw.complete || raw.destroyed) return;
    const timer = setTimeout(() => raw.destroy(), ms);
    timer.unref();
    raw.once('close', () => clearTimeout(timer));
    raw.once('end', () => clearTimeout(timer));
    raw.resume();
  });
}

const RAW_STATUS: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/**
 * Answers requests that Node can't parse. `track` records the open responses of each connection: after a request that is
 * still being answered, the 400 waits, so that it is never written into another response.
 */
function handleMalformedRequests() {
  const responses = new WeakMap<Socket, Set<ServerResponse>>();
  const answered = new WeakSet<Socket>();
  const isMalformed = (response: ServerResponse) => !response.req.complete;
  const answer = (error: Error & { code?: string }, socket: Socket): void => {
    const open = [...(responses.get(socket) ?? [])];
    if (error.code === 'ECONNRESET' || !socket.writable || open.some((each) => isMalformed(each) && each.headersSent)) {
      socket.destroy();
      return;
    }
    const before = open.filter((each) => !isMalformed(each)).at(-1);
    if (before) before.once('close', () => answer(error, socket));
    else writeProblem(socket, RAW_STATUS[error.code ?? ''] ?? 400);
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
      answer(error, socket);
    },
  };
}

/** Writes a problem response to a raw socket and closes it. */
function writeProblem(socket: Socket, status: number): void {
  const body = JSON.stringify(problemOf(status, messageOf(status), uuidv7()));
  socket.end(
    [
      `HTTP/1.1 ${status} ${titleOf(status)}`,
      'Content-Type: application/problem+json',
      'cache-control: no-store',
      ...Object.entries(HEADERS).map(([name, value]) => `${name}: ${value}`),
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
