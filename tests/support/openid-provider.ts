import { createHmac, createPrivateKey, generateKeyPairSync, randomBytes, sign, type webcrypto } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Provider } from 'oidc-provider';
import { freePorts } from './free-ports.ts';

/** The parts of an ID token. */
export interface Token {
  readonly header: Record<string, unknown>;
  readonly claims: Record<string, unknown>;
}

/**
 * What a tampering provider makes of an ID token: other parts, signed with its own key, another key, the client's secret,
 * or not at all.
 */
export type Tamper = (token: Token) => Token & { readonly signedWith?: 'own' | 'other' | 'secret' | 'nothing' };

/** A real OpenID provider (`oidc-provider`) on this machine, with a sign-in form that takes any name. */
export interface OpenIdProvider {
  readonly issuer: string;
  /** The variables of a server that uses it. */
  readonly env: Readonly<Record<string, string>>;
  /** What it says of a user. By default the name is `Ada of openid` and the e-mail `ada@openid.example` for `ada`. */
  readonly people: Map<string, { readonly name?: string; readonly email?: string }>;
  /** Changes the ID tokens that it hands out; null to hand out its own. */
  tamper: Tamper | null;
  /** Whether it answers nothing but 503. */
  isDown: boolean;
  /** The paths that were requested, in order. A tampering provider requests its own `/token`: it is listed twice. */
  readonly asked: string[];
  stop(): Promise<void>;
}

const CLIENT_ID = 'our-love-story';

/**
 * Starts a provider, reached as `localhost`, which for a browser is another site than `127.0.0.1`.
 * @param publicUrl the address of the server that uses it
 */
export async function startOpenIdProvider(publicUrl: string): Promise<OpenIdProvider> {
  const [port = 0] = await freePorts(1);
  const issuer = `http://localhost:${port}`;
  const clientSecret = randomBytes(32).toString('base64url');
  const own = newKey('own');
  // It has the same key id, so that only the signature gives it away.
  const other = newKey('own');
  const people: OpenIdProvider['people'] = new Map();
  const provider = new Provider(issuer, {
    jwks: { keys: [own as never] },
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: clientSecret,
        redirect_uris: [`${publicUrl}/api/auth/oidc/callback`],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    claims: { openid: ['sub'], profile: ['name'], email: ['email'] },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/sign-in/${uid}` },
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    findAccount: (_, accountId) => {
      const {
        name = `${accountId[0]?.toUpperCase()}${accountId.slice(1)} of openid`,
        email = `${accountId}@openid.example`,
      } = people.get(accountId) ?? {};
      return { accountId, claims: async () => ({ sub: accountId, name, email }) };
    },
    // Nobody is asked whether they agree.
    loadExistingGrant: async (ctx) => {
      const { client, session } = ctx.oidc;
      const known = session?.grantIdFor(client?.clientId as string);
      if (known) return ctx.oidc.provider.Grant.find(known);
      const grant = new ctx.oidc.provider.Grant({
        accountId: session?.accountId as string,
        clientId: client?.clientId as string,
      });
      grant.addOIDCScope('openid profile email');
      await grant.save();
      return grant;
    },
  });
  const answer = provider.callback();
  const running: OpenIdProvider = {
    issuer,
    env: {
      PUBLIC_URL: publicUrl,
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: CLIENT_ID,
      OIDC_CLIENT_SECRET: clientSecret,
      OIDC_NAME: 'Our House',
    },
    people,
    tamper: null,
    isDown: false,
    asked: [],
    stop: () => stop(server),
  };
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = (request.url ?? '').split('?', 1)[0] ?? '';
    running.asked.push(path);
    if (running.isDown) return void response.writeHead(503).end();
    if (path.startsWith('/sign-in/')) return signIn(provider, request, response);
    if (path === '/token' && running.tamper && !request.headers['x-untouched']) {
      return handOutTampered(`${issuer}/token`, request, response, (token) => {
        const { signedWith = 'own', ...made } = (running.tamper as Tamper)(token);
        return write(made, { own, other, secret: clientSecret, nothing: null }[signedWith]);
      });
    }
    return answer(request, response);
  };
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((listening) => server.listen(port, 'localhost', listening));
  return running;
}

async function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
}

function newKey(kid: string): webcrypto.JsonWebKey & { readonly kid: string } {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' };
}

/** The sign-in form of the provider, and what it sends. 'Cancel' refuses. */
async function signIn(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== 'POST') {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(
      '<!doctype html><html lang="en"><title>Our House</title><h1>Our House</h1><form method="post"><label>Login <input name="login"></label> <button>Continue</button> <button name="cancel" value="yes">Cancel</button></form></html>',
    );
    return;
  }
  const form = new URLSearchParams(await bodyOf(request));
  const result = form.has('cancel')
    ? { error: 'access_denied', error_description: '<b>No</b>' }
    : { login: { accountId: form.get('login') ?? '' } };
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
}

/** Asks the real token endpoint, and changes the ID token of its answer. */
async function handOutTampered(
  endpoint: string,
  request: IncomingMessage,
  response: ServerResponse,
  change: (token: Token) => string,
): Promise<void> {
  const answer = await fetch(endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      authorization: request.headers.authorization ?? '',
      'x-untouched': 'yes',
    },
    body: await bodyOf(request),
  });
  const body = (await answer.json()) as Record<string, unknown>;
  if (typeof body.id_token === 'string') {
    const [header, claims] = body.id_token
      .split('.')
      .slice(0, 2)
      .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>);
    body.id_token = change({ header: header ?? {}, claims: claims ?? {} });
  }
  response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Writes a token, signed with a private key, with a shared secret, or with nothing. */
function write({ header, claims }: Token, key: webcrypto.JsonWebKey | string | null): string {
  const text = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  if (key === null) return `${text}.`;
  const signature =
    typeof key === 'string'
      ? createHmac('sha256', key).update(text).digest()
      : sign('sha256', Buffer.from(text), createPrivateKey({ key, format: 'jwk' }));
  return `${text}.${signature.toString('base64url')}`;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
