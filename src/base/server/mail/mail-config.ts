import { z } from 'zod';

/** The mail server and the sender of all mails. */
export interface MailConfig {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte (`smtps://`). */
  readonly isSecure: boolean;
  readonly user: { readonly name: string; readonly password: string } | null;
  readonly from: Sender;
}

/** Where mails come from. The name may be empty. */
export interface Sender {
  readonly name: string;
  readonly address: string;
}

const PORTS: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 };

/** Parses `smtp://` or `smtps://user:password@host:port`. @returns null if it is no such URL */
function parseSmtpUrl(text: string): Omit<MailConfig, 'from'> | null {
  if (!URL.canParse(text)) return null;
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text);
  const usual = PORTS[protocol];
  if (usual === undefined || hostname === '' || !/^\/?$/.test(pathname) || search !== '' || hash !== '') return null;
  if (username === '' && password !== '') return null;
  try {
    return {
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? usual : Number(port),
      isSecure: protocol === 'smtps:',
      user: username === '' ? null : { name: decodeURIComponent(username), password: decodeURIComponent(password) },
    };
  } catch {
    // A % that encodes nothing.
    return null;
  }
}

/** Parses `ada@example.org` or `Our Love Story <ada@example.org>`. @returns null if it is neither, or more than a header's line */
function parseSender(text: string): Sender | null {
  if (/\p{Cc}/u.test(text)) return null;
  const [, name = '', inBrackets, alone] =
    /^(?:"?([^"<>@]*)"?\s*<([^\s<>@,;:]+@[^\s<>@,;:]+)>|([^\s<>@,;:"]+@[^\s<>@,;:"]+))$/.exec(text) ?? [];
  const address = inBrackets ?? alone;
  return address === undefined ? null : { name: name.trim(), address };
}

/** `SMTP_URL` */
export const smtpUrl = z
  .string()
  .transform(parseSmtpUrl)
  .refine((server) => server !== null);

/** `MAIL_FROM` */
export const sender = z
  .string()
  .transform(parseSender)
  .refine((from) => from !== null);

/** `OPERATOR_EMAIL`: an address without a name. */
export const plainAddress = z.string().refine((text) => parseSender(text)?.address === text);
