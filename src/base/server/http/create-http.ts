import type { FastifyInstance } from 'fastify';
import Fastify, { LogController } from 'fastify';
import { uuidv7 } from 'uuidv7';
import type { Config } from '../process/config.ts';
import { answerError } from './answer-error.ts';
import { addBodyParsers, JSON_LIMIT } from './body-parsers.ts';
import { errorForLog } from './error-for-log.ts';
import { keepOutermostForwardedHeaders } from './keep-outermost-forwarded-headers.ts';
import { logAnswers } from './log-answers.ts';
import { addSecurityHeaders, hsts, SECURITY_HEADERS } from './security-headers.ts';
import { messageOf, sendProblem } from './send-problem.ts';
import { abortSlowJson, discardUnread } from './slow-bodies.ts';
import { unparsableRequestHandler } from './unparsable-requests.ts';

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
  const unparsableRequests = unparsableRequestHandler();
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
            serializers: { err: errorForLog },
          },
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, maxParamLength: 4_096 },
    clientErrorHandler: unparsableRequests.answer,
    frameworkErrors: (error, request, reply) => {
      const status = error.code === 'FST_ERR_BAD_URL' ? 404 : (error.statusCode ?? 400);
      request.log.debug({ code: error.code }, 'refused by the router');
      // No hook runs if the router rejects a request.
      reply.headers({ ...SECURITY_HEADERS, ...hsts(config, request) });
      sendProblem(reply as never, { status, message: messageOf(status) });
    },
  });
  fastify.server.on('request', unparsableRequests.track);
  keepOutermostForwardedHeaders(fastify, config.trustProxy);
  addSecurityHeaders(fastify, config);
  logAnswers(fastify);
  addBodyParsers(fastify);
  abortSlowJson(fastify, timeouts.json);
  discardUnread(fastify, timeouts.unread);
  fastify.setErrorHandler(answerError);
  return fastify;
}
