import type { CallName, Input } from '../../src/base/call.ts';
import { type AllCalls, Caller, type Result } from './caller.ts';

/** How a visit to the provider ended: the address to which our server has redirected, without its origin. */
export interface Landing {
  readonly location: string;
  readonly setCookies: readonly string[];
}

/** A browser without a page: it keeps cookies, and follows redirects to the provider and back. */
export class OpenIdBrowser {
  readonly #app: { readonly url: string };
  readonly #cookies = new Map<string, Map<string, string>>();

  constructor(app: { readonly url: string }) {
    this.#app = app;
  }

  /** The `Cookie` header for an address, or none. */
  cookies(url: string): Record<string, string> {
    const jar = [...(this.#cookies.get(new URL(url).host) ?? [])];
    return jar.length === 0 ? {} : { cookie: jar.map(([name, value]) => `${name}=${value}`).join('; ') };
  }

  keep(url: string, setCookies: readonly string[]): void {
    const { host } = new URL(url);
    const jar = this.#cookies.get(host) ?? new Map<string, string>();
    this.#cookies.set(host, jar);
    for (const text of setCookies) {
      const [pair = ''] = text.split(';', 1);
      const at = pair.indexOf('=');
      jar.set(pair.slice(0, at), pair.slice(at + 1));
    }
  }

  /** Calls our server as its page does, with the cookies and the `Origin`. */
  async call<N extends keyof AllCalls & CallName>(name: N, input: Input<N, AllCalls[N]>, token: string | null = null) {
    const caller = new Caller(this.#app.url, token);
    const headers = { origin: this.#app.url, ...this.cookies(this.#app.url) };
    const result = (await caller.request(name, input as object, { headers })) as Result<unknown>;
    this.keep(this.#app.url, result.headers.getSetCookie());
    return result as Awaited<ReturnType<typeof caller.call<N>>>;
  }

  /** Begins a visit to the provider, as the page does. `who` is the user who is signed in. */
  start(body: object, who: Caller | null = null) {
    return this.call('POST /api/auth/oidc/start', { body } as never, who?.token ?? null);
  }

  /** Begins a visit, signs in at the provider (null cancels there), and comes back. */
  async roundTrip(body: object, login: string | null, who: Caller | null = null): Promise<Landing> {
    const { status, body: begun, problem } = await this.start(body, who);
    if (status !== 200) throw new Error(`${status} ${problem.detail}`);
    return this.land(await this.visit(begun.url, login));
  }

  /** Gets a token for the session of the browser's cookie, and its user. */
  renew() {
    return this.call('POST /api/auth/renew', {});
  }

  /** Opens an address, and follows redirects as long as they lead to the provider. */
  async open(
    url: string,
    {
      headers = {},
      ...init
    }: Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> } = {},
  ): Promise<{ url: string; response: Response }> {
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: { ...this.cookies(url), ...headers },
    });
    this.keep(url, response.headers.getSetCookie());
    const location = response.headers.get('location');
    if (location === null) return { url, response };
    const next = new URL(location, url);
    return next.origin === this.#app.url ? { url: next.href, response } : this.open(next.href);
  }

  /** Signs in at the provider, and returns the address of our server to which it sends the browser back. */
  async visit(url: string, login: string | null): Promise<string> {
    const form = await this.open(url);
    if (form.url.startsWith(this.#app.url)) return form.url;
    const body = login === null ? 'cancel=yes' : `login=${login}`;
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return (await this.open(form.url, { method: 'POST', body, headers })).url;
  }

  /** Comes back to our server. */
  async land(url: string): Promise<Landing> {
    const response = await fetch(url, { redirect: 'manual', headers: this.cookies(url) });
    const setCookies = response.headers.getSetCookie();
    this.keep(url, setCookies);
    if (response.status !== 303) throw new Error(`${response.status} ${await response.text()}`);
    return { location: response.headers.get('location') ?? '', setCookies };
  }
}
