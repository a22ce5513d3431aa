import type { Socket } from 'node:net';
import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import Fastify, { LogController } from 'fastify';
import { uuidv7 } from 'uuidv7';
import { Refusal, titleOf } from '../refusal.ts';
import type { Config } from './config.ts';
import { answerError, problemOf, sendProblem, sentenceOf } from './errors.ts';

/** The type of a piece of a file, by the protocol tus. */
export const PIECE_TYPE = 'application/offset+octet-stream';
/** The largest JSON body, in bytes (contract 1). */
export const JSON_LIMIT = 1_048_576;
/** An honest 1 Mbit/s upload of 100 MB takes 14 minutes; Node's own limit of 5 would cut it. */
const REQUEST_TIMEOUT_MS = 30 * 60_000;
const HEADERS_TIMEOUT_MS = 20_000;

/** A Fastify with our rules of the wire: case-blind paths, problem bodies, JSON in UTF-8 alone, headers on every answer. */
export async function createHttp(
  config: Pick<Config, 'trustProxy' | 'logLevel' | 'publicUrl'>,
): Promise<FastifyInstance> {
  const fastify = Fastify({
    bodyLimit: JSON_LIMIT,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // The nearest proxy is hop 0: so many are believed, and none behind them.
    trustProxy: (_address: string, hop: number) => hop < config.trustProxy,
    genReqId: () => uuidv7(),
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: 'idle',
    http: { headersTimeout: HEADERS_TIMEOUT_MS },
    logger:
      config.logLevel === 'silent'
        ? false
        : {
            level: config.logLevel,
            base: null,
            stream: process.stderr,
            redact: ['req.headers', 'req.url', 'err.config'],
          },
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, maxParamLength: 4_096 },
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: (error, request, reply) => {
      const status = error.code === 'FST_ERR_BAD_URL' ? 404 : (error.statusCode ?? 400);
      request.log.debug({ code: error.code }, 'refused by the router');
      sendProblem(reply as never, { status, message: sentenceOf(status) });
    },
  });
  await addHeaders(fastify, config);
  takeJsonOnly(fastify);
  fastify.setErrorHandler(answerError);
  return fastify;
}

/** The headers of contract 1, on every answer, errors included. */
async function addHeaders(fastify: FastifyInstance, config: Pick<Config, 'publicUrl'>): Promise<void> {
  const secure = config.publicUrl?.startsWith('https:') ?? false;
  await fastify.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        'script-src': ["'self'"],
        'style-src': ["'self'"],
        'img-src': ["'self'", 'data:', 'blob:'],
        'font-src': ["'self'"],
        'connect-src': ["'self'"],
        'media-src': ["'self'", 'blob:'],
        'manifest-src': ["'self'"],
        'worker-src': ["'self'"],
        'base-uri': ["'none'"],
        'form-action': ["'self'"],
        'frame-ancestors': ["'none'"],
      },
    },
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    crossOriginEmbedderPolicy: false,
    originAgentCluster: true,
    referrerPolicy: { policy: 'same-origin' },
    strictTransportSecurity: secure ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    xFrameOptions: { action: 'deny' },
    xContentTypeOptions: true,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  });
  fastify.addHook('onSend', async (_request, reply) => {
    reply.header('permissions-policy', 'camera=(self), microphone=(), geolocation=(), payment=(), usb=()');
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

const RAW_STATUS: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** What Node could not even read as a request still gets a problem body, written by hand on its socket. */
function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = RAW_STATUS[error.code ?? ''] ?? 400;
  const body = JSON.stringify(problemOf(status, sentenceOf(status), uuidv7()));
  socket.end(
    [
      `HTTP/1.1 ${status} ${titleOf(status)}`,
      'Content-Type: application/problem+json',
      'Cache-Control: no-store',
      'X-Content-Type-Options: nosniff',
      'Referrer-Policy: same-origin',
      'Cross-Origin-Opener-Policy: same-origin',
      'Cross-Origin-Resource-Policy: same-origin',
      "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'",
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
