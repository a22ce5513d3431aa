import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { AssertedCredential, CreatedCredential, Passkey } from '../../src/auth/passkey-contract.ts';
import type { Partner } from './partner.ts';

const PRESENT = 0x01;
const VERIFIED = 0x04;
const HAS_KEY = 0x40;

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
const text = (bytes: Buffer) => bytes.toString('base64url');

/** A WebAuthn authenticator in software (ES256, no attestation). Unlike a browser, it can send false data. */
export class Authenticator {
  readonly id = text(randomBytes(32));
  /** The signature counter, sent with each assertion. */
  counter = 0;
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #origin: string;

  constructor(origin: string) {
    this.#origin = origin;
  }

  /**
   * The response of `navigator.credentials.create`.
   * @param certified whether it contains a certificate of the device's maker, which is not a valid one
   */
  create({ challenge }: { challenge: string }, { verified = true, certified = false } = {}): CreatedCredential {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    // CBOR by hand: { 1: 2, 3: -7, -1: 1, -2: x, -3: y }
    const key = Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y, 'base64url'),
    ]);
    const id = Buffer.from(this.id, 'base64url');
    const known = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key]);
    const data = Buffer.concat([this.#authenticatorData(HAS_KEY, verified), known]);
    // { fmt: 'none', attStmt: {}, authData }, or { fmt: 'apple', attStmt: { x5c: ['cert'] }, authData }
    const statement = certified ? '\x65apple\x67attStmt\xa1\x63x5c\x81\x44cert' : '\x64none\x67attStmt\xa0';
    const attestation = Buffer.concat([
      Buffer.from(`\xa3\x63fmt${statement}\x68authData\x58`, 'latin1'),
      Buffer.from([data.length]),
      data,
    ]);
    const response = {
      clientDataJSON: text(this.#clientData('webauthn.create', challenge)),
      attestationObject: text(attestation),
      transports: ['internal'],
    };
    return { id: this.id, rawId: this.id, type: 'public-key', response };
  }

  /** The response of `navigator.credentials.get`. */
  get({ challenge }: { challenge: string }, { verified = true } = {}): AssertedCredential {
    this.counter += 1;
    const data = this.#authenticatorData(0, verified);
    const client = this.#clientData('webauthn.get', challenge);
    const response = {
      clientDataJSON: text(client),
      authenticatorData: text(data),
      signature: text(sign('sha256', Buffer.concat([data, sha256(client)]), this.#keys.privateKey)),
    };
    return { id: this.id, rawId: this.id, type: 'public-key', response };
  }

  #authenticatorData(flags: number, verified: boolean): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    const all = flags | PRESENT | (verified ? VERIFIED : 0);
    return Buffer.concat([sha256(new URL(this.#origin).hostname), Buffer.from([all]), counter]);
  }

  #clientData(type: string, challenge: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.#origin, crossOrigin: false }));
  }
}

/** Requests the creation options of a passkey, with the partner's password. */
export function passkeyOptions(who: Partner) {
  return who.call('POST /api/auth/passkeys/options', { body: { currentPassword: who.password } });
}

/** Creates a passkey for a partner. */
export async function makePasskey(who: Partner): Promise<{ passkey: Passkey; device: Authenticator }> {
  const device = new Authenticator(who.url);
  const { body: options } = await passkeyOptions(who);
  const { status, body } = await who.call('POST /api/auth/passkeys', { body: device.create(options) });
  if (status !== 201) throw new Error(`Could not create a passkey: ${status} ${JSON.stringify(body)}`);
  return { passkey: body, device };
}
