import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import Fastify, { LogController } from 'fastify';
import { uuidv7 } from 'uuidv7';
import { Refusal, titleOf } from '../refusal.ts';
import type { Config } from './config.ts';
import { answerError, problemOf, sendProblem, sentenceOf } from './errors.ts';

/** The type of a piece of a file, by the protocol tus. */
export const PIECE_TYPE = 'application/offset+octet-stream';
/** The largest JSON body, in bytes (contract 1). */
export const JSON_LIMIT = 1_048_576;

/** How long is waited for a request, in milliseconds; who is slower is cut (408). */
export interface Timeouts {
  readonly headers: number;
  /** For a whole JSON body. */
  readonly json: number;
  /** For a whole request: an honest 1 Mbit/s upload of 100 MB takes 14 minutes; Node's own limit of 5 would cut it. */
  readonly request: number;
  /** For the next byte, either way. */
  readonly idle: number;
}

const DEFAULT_TIMEOUTS: Timeouts = { headers: 20_000, json: 30_000, request: 30 * 60_000, idle: 120_000 };

/** A Fastify with our rules of the wire: case-blind paths, problem bodies, JSON in UTF-8 alone, headers on every answer. */
export function createHttp(
  config: Pick<Config, 'trustProxy' | 'logLevel' | 'publicUrl'>,
  timeouts = DEFAULT_TIMEOUTS,
): FastifyInstance {
  const brokenRequests = answerBrokenRequests();
  const fastify = Fastify({
    bodyLimit: JSON_LIMIT,
    requestTimeout: timeouts.request,
    connectionTimeout: timeouts.idle,
    // The nearest proxy is hop 0: so many are believed, and none behind them.
    trustProxy: (_address: string, hop: number) => hop < config.trustProxy,
    genReqId: () => uuidv7(),
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: 'idle',
    // Node looks at its sockets now and then, and cuts those whose time is over.
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
    clientErrorHandler: brokenRequests.answer,
    frameworkErrors: (error, request, reply) => {
      const status = error.code === 'FST_ERR_BAD_URL' ? 404 : (error.statusCode ?? 400);
      request.log.debug({ code: error.code }, 'refused by the router');
      // No hook runs for what the router could not read.
      reply.headers({ ...HEADERS, ...hsts(config, request) });
      sendProblem(reply as never, { status, message: sentenceOf(status) });
    },
  });
  fastify.server.on('request', brokenRequests.note);
  addHeaders(fastify, config);
  logAnswers(fastify);
  takeJsonOnly(fastify);
  cutSlowJson(fastify, timeouts.json);
  fastify.setErrorHandler(answerError);
  return fastify;
}

const HSTS_SECONDS = 31_536_000;

/** What a page of ours may load: its own files, and pictures that it has made itself. Nothing inline, no frames. */
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

/** On every answer (contract 1), also to what could not be read as a request. */
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

/** HSTS where it is HTTPS, be it said by the public address or by a proxy that is trusted. */
function hsts({ publicUrl }: Pick<Config, 'publicUrl'>, { protocol }: Pick<FastifyRequest, 'protocol'>) {
  const secure = publicUrl?.startsWith('https:') || protocol === 'https';
  return secure ? { 'strict-transport-security': `max-age=${HSTS_SECONDS}; includeSubDomains` } : {};
}

/** They are there from the beginning, so that a call may say something stricter of its own. */
function addHeaders(fastify: FastifyInstance, config: Pick<Config, 'publicUrl'>): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.headers(HEADERS).headers(hsts(config, request));
    done();
  });
}

/**
 * What is logged of an error: what it is and where. A driver hangs more on it, such as the values of a row that it
 * refused, or the headers of a request, and that is nobody's business.
 */
function plainError(error: unknown): PlainError {
  if (!(error instanceof Error)) return { type: typeof error, message: 'Something that is no error', stack: '' };
  const { name: type, message, stack = '', cause } = error;
  return {
    ...{ type, message, stack },
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
    /** What the log says besides of an answer that whoever looks into it has to know of; null of any other. */
    eventOf?: (request: FastifyRequest, status: number) => object | null;
  }
}

/**
 * One line for each answer, with the request's id: which route, not which address, for an address may hold a code or
 * an id. What was refused, and each security event, is told from `info` on; what else went well from `debug` on.
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

/** Bodies are JSON in UTF-8, or forms; anything else is 415, and what is no UTF-8 is 400. */
function takeJsonOnly(fastify: FastifyInstance): void {
  const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  fastify.removeAllContentTypeParsers();
  // A form is left unread: the call that takes one streams it to the disk, and `serve` refuses it everywhere else.
  fastify.addContentTypeParser('multipart/form-data', (_request, _body, done) => done(null));
  // The same of a piece of a file.
  fastify.addContentTypeParser(PIECE_TYPE, (_request, _body, done) => done(null));
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const encoding = request.headers['content-encoding'] ?? 'identity';
    const charset = /;\s*charset="?([^";]+)"?/i.exec(request.headers['content-type'] ?? '')?.[1] ?? 'utf-8';
    if (encoding !== 'identity' || !/^utf-?8$/i.test(charset.trim())) {
      done(new Refusal(415, 'JSON is taken in UTF-8 and not compressed.'));
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

/** Photographs may take their time; what is a kilobyte or so may not hold a socket for as long. */
function cutSlowJson(fastify: FastifyInstance, ms: number): void {
  fastify.addHook('onRequest', async (request, reply) => {
    if (request.raw.complete || !/^application\/json/i.test(request.headers['content-type'] ?? '')) return;
    const timer = setTimeout(() => {
      if (request.raw.complete || reply.sent) return;
      sendProblem(reply.header('connection', 'close'), { status: 408, message: sentenceOf(408) });
      reply.raw.once('finish', () => request.raw.destroy());
    }, ms);
    timer.unref();
    reply.raw.once('close', () => clearTimeout(timer));
    request.raw.once('end', () => clearTimeout(timer));
  });
}

const RAW_STATUS: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/**
 * Answers what Node could not read as a request. `note` counts the responses of each connection: behind a request that
 * is still being answered, the 400 waits for its turn, so that it is never written into another response.
 */
function answerBrokenRequests() {
  const responses = new WeakMap<Socket, Set<ServerResponse>>();
  const broken = new WeakSet<Socket>();
  const isBroken = (response: ServerResponse) => !response.req.complete;
  const answer = (error: Error & { code?: string }, socket: Socket): void => {
    const open = [...(responses.get(socket) ?? [])];
    if (error.code === 'ECONNRESET' || !socket.writable || open.some((each) => isBroken(each) && each.headersSent)) {
      socket.destroy();
      return;
    }
    const before = open.filter((each) => !isBroken(each)).at(-1);
    if (before) before.once('close', () => answer(error, socket));
    else writeProblem(socket, RAW_STATUS[error.code ?? ''] ?? 400);
  };
  return {
    note: ({ socket }: IncomingMessage, response: ServerResponse): void => {
      const open = responses.get(socket) ?? new Set();
      responses.set(socket, open.add(response));
      response.once('close', () => open.delete(response));
    },
    answer: (error: Error & { code?: string }, socket: Socket): void => {
      // Each further byte is an error again.
      if (broken.has(socket)) return;
      broken.add(socket);
      answer(error, socket);
    },
  };
}

/** A problem body written by hand on a socket, which it ends. */
function writeProblem(socket: Socket, status: number): void {
  const body = JSON.stringify(problemOf(status, sentenceOf(status), uuidv7()));
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
