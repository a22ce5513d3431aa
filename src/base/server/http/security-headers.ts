import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../process/config.ts';

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
export const SECURITY_HEADERS = {
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
export function hsts({ publicUrl }: Pick<Config, 'publicUrl'>, { protocol }: Pick<FastifyRequest, 'protocol'>) {
  const secure = publicUrl?.startsWith('https:') || protocol === 'https';
  return secure ? { 'strict-transport-security': `max-age=${HSTS_SECONDS}; includeSubDomains` } : {};
}

/** Sets the headers early, so that a route can override them with stricter ones. */
export function addSecurityHeaders(fastify: FastifyInstance, config: Pick<Config, 'publicUrl'>): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.headers(SECURITY_HEADERS).headers(hsts(config, request));
    done();
  });
}
