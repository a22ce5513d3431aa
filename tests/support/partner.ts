import type { SignedIn, User } from '../../src/auth/contract.ts';
import type { CallName } from '../../src/base/call.ts';
import { Caller, type CallOptions, type Result, type UntypedInput } from './caller.ts';

/** A signed-in partner. Renews the bearer token when it expires, as the page does. */
export class Partner extends Caller {
  readonly user: User;
  readonly email: string;
  readonly password: string;
  /** The session cookie: `name=value`. */
  readonly cookie: string;

  constructor(url: string, signedIn: SignedIn, cookie: string, email: string, password: string) {
    super(url, signedIn.token);
    this.user = signedIn.user;
    this.cookie = cookie;
    this.email = email;
    this.password = password;
  }

  /** Sends a request, and repeats it once with a new token if the old one has expired. */
  override async request(
    name: CallName,
    input: UntypedInput = {},
    options: CallOptions = {},
  ): Promise<Result<unknown>> {
    const result = await super.request(name, input, options);
    const usesOwnToken = options.headers?.authorization === undefined;
    return result.status === 401 && usesOwnToken && (await this.renew()) ? super.request(name, input, options) : result;
  }

  /** Gets a new bearer token. Returns false if the session has ended. */
  async renew(): Promise<boolean> {
    const headers = { cookie: this.cookie, origin: new URL(this.url).origin };
    const { status, body } = await new Caller(this.url).call('POST /api/auth/renew', {}, { headers });
    if (status === 200) this.token = body.token;
    return status === 200;
  }

  /** The same partner with another server. */
  at({ url }: { readonly url: string }): this {
    return Object.assign(Object.create(Object.getPrototypeOf(this) as object) as this, this, { url });
  }
}
