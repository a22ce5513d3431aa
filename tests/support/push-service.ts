import { createDecipheriv, createECDH, createPublicKey, type ECDH, hkdfSync, randomBytes, verify } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DateNotice } from '../../src/reminders/push-notice.ts';

/** A received push message, decrypted with the browser's keys. */
export interface Pushed {
  readonly notice: DateNotice;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The sender's contact, and its VAPID public key in base64url. */
  readonly subject: string;
  readonly signedBy: string;
}

/** A subscribed browser. */
export interface SubscribedBrowser {
  readonly subscription: { endpoint: string; keys: { p256dh: string; auth: string } };
  readonly received: Pushed[];
  /** The status of the next responses: 201, or 410 for an expired subscription. */
  answers: number;
  /** Runs before each response. */
  before?: () => Promise<void>;
}

/**
 * Starts a push service (RFC 8030). It verifies each message's signature with the VAPID key (RFC 8292) and decrypts the
 * message as a browser does (RFC 8291); it responds with 400 to an invalid one.
 */
export async function startPushService() {
  const browsers = new Map<string, SubscribedBrowser & { ecdh: ECDH; auth: Buffer }>();
  let url = '';
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    const answer = async () => {
      const browser = browsers.get(request.url ?? '');
      if (!browser) return response.writeHead(404).end();
      await browser.before?.();
      if (browser.answers >= 300) return response.writeHead(browser.answers).end();
      try {
        const signed = readVapid(String(request.headers.authorization), url);
        const notice = JSON.parse(decrypt(Buffer.concat(chunks), browser.ecdh, browser.auth)) as DateNotice;
        browser.received.push({ notice, headers: request.headers, ...signed });
        response.writeHead(browser.answers).end();
      } catch (error) {
        response.writeHead(400).end(String(error));
      }
      return undefined;
    };
    request.on('end', () => void answer());
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    /** Creates a subscription. */
    subscribe: (): SubscribedBrowser => {
      const ecdh = createECDH('prime256v1');
      const auth = randomBytes(16);
      const path = `/push/${randomBytes(16).toString('base64url')}`;
      const keys = { p256dh: ecdh.generateKeys('base64url'), auth: auth.toString('base64url') };
      const browser = { subscription: { endpoint: url + path, keys }, received: [], answers: 201, ecdh, auth };
      browsers.set(path, browser);
      return browser;
    },
    close: () => new Promise<void>((closed) => server.close(() => closed())),
  };
}

/** Reads a VAPID header. Throws unless its signature is valid and its audience is this service. */
function readVapid(header: string, audience: string): { subject: string; signedBy: string } {
  const [, token = '', signedBy = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(header) ?? [];
  const [head = '', body = '', signature = ''] = token.split('.');
  const point = Buffer.from(signedBy, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'));
  const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' }, format: 'jwk' });
  const isValid = verify(
    'sha256',
    Buffer.from(`${head}.${body}`),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as { aud: string; exp: number; sub: string };
  if (!isValid || claims.aud !== audience || claims.exp * 1000 < Date.now()) throw new Error('Invalid VAPID header');
  return { subject: claims.sub, signedBy };
}

/** Decrypts an aes128gcm message (RFC 8188) for a browser. */
function decrypt(message: Buffer, ecdh: ECDH, auth: Buffer): string {
  const salt = message.subarray(0, 16);
  const idLength = message[20] ?? 0;
  const sender = message.subarray(21, 21 + idLength);
  const sealed = message.subarray(21 + idLength);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), sender]);
  const secret = Buffer.from(hkdfSync('sha256', ecdh.computeSecret(sender), auth, info, 32));
  const key = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: aes128gcm\0', 16));
  const nonce = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: nonce\0', 12));
  const decipher = createDecipheriv('aes-128-gcm', key, nonce);
  decipher.setAuthTag(sealed.subarray(-16));
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  // The padding of the last record starts with a 2.
  return padded.subarray(0, padded.lastIndexOf(2)).toString();
}
