import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { Agent, request as requestHttps } from 'node:https';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { connect as connectTls } from 'node:tls';
import { HOST, SITE } from './operating-texts.ts';
import type { StartedProxy } from './proxies.ts';

export type HttpVersion = '1.1' | '2';

export interface ClientOptions {
  readonly version: HttpVersion;
  /** The address of this machine from which it connects: any of 127.0.0.0/8. */
  readonly from?: string;
}

export interface Sending {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | AsyncIterable<Buffer>;
}

/** A response whose body has not been read. */
export interface Received {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Readable;
  /** Reads the whole body. */
  text(): Promise<string>;
}

/** A client of one proxy, with one version of HTTP and one connection. It accepts only the proxy's certificate. */
export class ProxyClient {
  readonly #connection: () => ReturnType<typeof connectTls>;
  readonly #version: HttpVersion;
  readonly #agent: Agent;
  #session: ClientHttp2Session | null = null;

  constructor({ port, certificate }: Pick<StartedProxy, 'port' | 'certificate'>, { version, from }: ClientOptions) {
    this.#version = version;
    const protocols = [version === '2' ? 'h2' : 'http/1.1'];
    const options = { host: '127.0.0.1', port, servername: HOST, ca: certificate.cert, ALPNProtocols: protocols };
    this.#connection = () => connectTls({ ...options, ...(from === undefined ? {} : { localAddress: from }) });
    this.#agent = new Agent({ keepAlive: true, maxSockets: 1 });
    this.#agent.createConnection = () => this.#connection();
  }

  /** Sends a request and returns its response once its headers are there, which may be before all of the body is sent. */
  send(method: string, path: string, { headers = {}, body }: Sending = {}): Promise<Received> {
    const length: Readonly<Record<string, string>> = Buffer.isBuffer(body)
      ? { 'content-length': String(body.length) }
      : {};
    const parts = Buffer.isBuffer(body) ? [body] : body;
    const all = { ...length, ...headers };
    return this.#version === '2' ? this.#send2(method, path, all, parts) : this.#send1(method, path, all, parts);
  }

  close(): void {
    this.#session?.destroy();
    this.#agent.destroy();
  }

  #openSession(): ClientHttp2Session {
    const session = connectHttp2(SITE, {
      createConnection: this.#connection,
      settings: { initialWindowSize: WINDOW, enablePush: false },
    });
    session.once('connect', () => session.setLocalWindowSize(WINDOW));
    return session;
  }

  async #send1(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body: Iterable<Buffer> | AsyncIterable<Buffer> = [],
  ): Promise<Received> {
    const sent = requestHttps({ method, path, agent: this.#agent, headers: { host: HOST, ...headers } });
    const response = once(sent, 'response') as Promise<[IncomingMessage]>;
    // A refusal may come before the body is sent; then its rest fails.
    pipeline(Readable.from(body), sent).catch(() => undefined);
    const [received] = await response;
    return { status: received.statusCode ?? 0, headers: received.headers, ...readable(received) };
  }

  async #send2(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body?: Iterable<Buffer> | AsyncIterable<Buffer>,
  ): Promise<Received> {
    this.#session ??= this.#openSession();
    const names = { ':method': method, ':path': path, ...headers };
    const stream = this.#session.request(names, { endStream: body === undefined });
    const response = once(stream, 'response') as Promise<[Received['headers']]>;
    if (body !== undefined) {
      const sending = async () => {
        for await (const part of body) if (!stream.write(part)) await once(stream, 'drain');
        stream.end();
      };
      sending().catch(() => undefined);
    }
    const [received] = await response;
    return { status: Number(received[':status']), headers: received, ...readable(stream) };
  }
}

/** The bytes that a proxy may send before the client has read them, like a browser's: 6 MB. */
const WINDOW = 6 * 1024 * 1024;

function readable(body: Readable): Pick<Received, 'body' | 'text'> {
  return { body, text: () => text(body) };
}
