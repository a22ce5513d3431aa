import nodePath, { resolve } from 'node:path';
import { z } from 'zod';
import { isLoopback } from '../../loopback.ts';
import { parseSize } from '../../parse-size.ts';
import { type MailConfig, plainAddress, sender, smtpUrl } from '../mail/mail-config.ts';

/** The environment variables, parsed once at startup. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** Absolute path. */
  readonly dataDir: string;
  /** `postgres://…`, or null for SQLite in `dataDir`. */
  readonly databaseUrl: string | null;
  /**
   * The same database without a connection pooler, for what needs a connection of its own: LISTEN, migrations and long
   * transactions. Null if `databaseUrl` is such an address.
   */
  readonly databaseDirectUrl: string | null;
  /** The S3 bucket for photos, or null to store them in `dataDir`. */
  readonly s3: S3Config | null;
  /** Absolute path of the folder for nightly backups, or null without backups. */
  readonly backupDir: string | null;
  /** An origin without a trailing slash; null to use the one of each request. */
  readonly publicUrl: string | null;
  readonly registration: 'first' | 'open' | 'closed';
  /** The OpenID provider; null without one, and without a public address, to which it would lead back. */
  readonly oidc: OidcConfig | null;
  /** Whether there is a provider that is of no use, because there is no public address. */
  readonly ignoresOidc: boolean;
  /** How many bytes of originals a couple may keep, unless the operator sets another limit for it; null for no limit. */
  readonly quotaBytes: number | null;
  /** The mail server; null sends no mail. */
  readonly mail: MailConfig | null;
  /** Who gets the alarms, or null. */
  readonly operatorEmail: string | null;
  /** Number of proxies in front of the server. */
  readonly trustProxy: number;
  /** How long the server still serves after a signal to stop, while `/readyz` already answers 503. */
  readonly drainSeconds: number;
  /** The bearer token for `/metrics`; null turns metrics off. */
  readonly metricsToken: string | null;
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
  /** The folder of the built page, or null to serve only the API (tests). */
  readonly webRoot: string | null;
}

export interface OidcConfig {
  /** As `URL` writes it. */
  readonly issuer: string;
  readonly clientId: string;
  /** Null for a public client. */
  readonly clientSecret: string | null;
  /** What users call the provider: 'Continue with {name}'. */
  readonly name: string;
}

export interface S3Config {
  readonly bucket: string;
  readonly prefix: string;
  readonly endpoint: string | null;
  readonly region: string;
}

/** An invalid variable. The server prints the message and exits (running.start.1). */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const postgresUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\//)
  .refine((url) => URL.canParse(url) && !endsInPassword(new URL(url)))
  .nullable()
  .default(null);

/** Whether a `/`, `?` or `#` of the password ends the host, and the rest of the password and the host follow it. */
function endsInPassword({ pathname, search, hash }: URL): boolean {
  return `${pathname}${hash}`.includes('@') || (pathname === '' && search.includes('@'));
}

const variables = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: z
    .string()
    .regex(/^\d{1,5}$/)
    .transform(Number)
    .refine((port) => port <= 65_535)
    .default(3000),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: postgresUrl,
  DATABASE_DIRECT_URL: postgresUrl,
  STORAGE_URL: z
    .string()
    .startsWith('s3://')
    .refine((url) => URL.canParse(url))
    .nullable()
    .default(null),
  BACKUP_DIR: z.string().nullable().default(null),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .refine(isOrigin)
    .transform((url) => new URL(url).origin)
    .nullable()
    .default(null),
  REGISTRATION: z.enum(['first', 'open', 'closed']).default('first'),
  OIDC_ISSUER: z
    .url({ protocol: /^https?$/ })
    .transform((url) => new URL(url))
    .refine(isIssuer)
    .nullable()
    .default(null),
  OIDC_CLIENT_ID: z.string().max(500).nullable().default(null),
  OIDC_CLIENT_SECRET: z.string().max(2_000).nullable().default(null),
  OIDC_NAME: z.string().max(40).nullable().default(null),
  QUOTA: z
    .string()
    .transform((text) => parseSize(text) ?? Number.NaN)
    .refine(Number.isFinite)
    .nullable()
    .default(null),
  SMTP_URL: smtpUrl.nullable().default(null),
  MAIL_FROM: sender.nullable().default(null),
  OPERATOR_EMAIL: plainAddress.nullable().default(null),
  TRUST_PROXY: z
    .string()
    .regex(/^\d{1,2}$/)
    .transform(Number)
    .default(0),
  DRAIN_SECONDS: z
    .string()
    .regex(/^\d{1,4}$/)
    .transform(Number)
    .refine((seconds) => seconds <= 3_600)
    .default(0),
  METRICS_TOKEN: z
    .string()
    .regex(/^[!-~]{16,}$/)
    .nullable()
    .default(null),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
});

const EXPECTED: Readonly<Record<string, string>> = {
  HOST: 'an address to listen on',
  PORT: 'a port from 0 to 65535',
  DATA_DIR: 'a folder',
  DATABASE_URL:
    'a URL that starts with postgres://; in the user and the password, write @ as %40, / as %2F, # as %23 and ? as %3F',
  DATABASE_DIRECT_URL: 'a URL that starts with postgres://, beside DATABASE_URL',
  STORAGE_URL: 'a URL such as s3://bucket?endpoint=https://…&region=…',
  BACKUP_DIR: 'a folder outside DATA_DIR',
  PUBLIC_URL: 'a URL such as https://album.example, without a path, query, user name or password',
  REGISTRATION: 'first, open or closed',
  OIDC_ISSUER: 'a URL such as https://auth.example, of an OpenID provider',
  OIDC_CLIENT_ID: 'the id of the client at the OpenID provider, beside OIDC_ISSUER',
  OIDC_CLIENT_SECRET: 'the secret of the client at the OpenID provider, beside OIDC_ISSUER',
  OIDC_NAME: 'the name of the OpenID provider in at most 40 characters, beside OIDC_ISSUER',
  QUOTA: 'a size such as 20GB: bytes, or a number with KB, MB, GB or TB',
  SMTP_URL:
    'a URL such as smtps://user:password@mail.example:465; in the user and the password, write @ as %40, / as %2F, # as %23 and ? as %3F',
  MAIL_FROM: 'an address such as Our Love Story <album@example.org>, beside SMTP_URL',
  OPERATOR_EMAIL: 'an address such as ada@example.org, beside SMTP_URL',
  TRUST_PROXY: 'the number of proxies in front of the server',
  DRAIN_SECONDS: 'a number of seconds from 0 to 3600',
  METRICS_TOKEN: 'at least 16 characters without spaces',
  LOG_LEVEL: 'fatal, error, warn, info, debug, trace or silent',
};

/**
 * Reads the configuration from the environment. A blank variable counts as unset.
 * @throws ConfigError with the name of the variable, never its value, which may contain a password
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>, webRoot: string | null = null): Config {
  const present = Object.fromEntries(
    Object.keys(EXPECTED).flatMap((name) => {
      const value = env[name]?.trim();
      if (!value) return [];
      if (name.endsWith('_DIR')) assertExpanded(name, value);
      return [[name, value]];
    }),
  );
  const parsed = variables.safeParse(present);
  if (!parsed.success) {
    refuse(String(parsed.error.issues[0]?.path[0]));
  }
  const { data } = parsed;
  if (data.DATABASE_DIRECT_URL !== null && data.DATABASE_URL === null) refuse('DATABASE_DIRECT_URL');
  if (data.SMTP_URL !== null && data.MAIL_FROM === null) refuse('MAIL_FROM');
  if (data.OPERATOR_EMAIL !== null && data.SMTP_URL === null) refuse('OPERATOR_EMAIL');
  for (const name of ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_NAME'] as const) {
    if (data[name] !== null && data.OIDC_ISSUER === null) refuse(name);
  }
  return {
    host: data.HOST,
    port: data.PORT,
    dataDir: resolve(data.DATA_DIR),
    databaseUrl: data.DATABASE_URL,
    databaseDirectUrl: data.DATABASE_DIRECT_URL,
    s3: data.STORAGE_URL === null ? null : readStorage(new URL(data.STORAGE_URL)),
    backupDir: data.BACKUP_DIR === null ? null : readBackupDir(resolve(data.BACKUP_DIR), resolve(data.DATA_DIR)),
    publicUrl: data.PUBLIC_URL,
    registration: data.REGISTRATION,
    oidc: readOidc(data),
    ignoresOidc: data.OIDC_ISSUER !== null && data.PUBLIC_URL === null,
    quotaBytes: data.QUOTA,
    mail: data.SMTP_URL && data.MAIL_FROM ? { ...data.SMTP_URL, from: data.MAIL_FROM } : null,
    operatorEmail: data.OPERATOR_EMAIL,
    trustProxy: data.TRUST_PROXY,
    drainSeconds: data.DRAIN_SECONDS,
    metricsToken: data.METRICS_TOKEN,
    logLevel: data.LOG_LEVEL,
    webRoot,
  };
}

function refuse(name: string): never {
  throw new ConfigError(`${name} is invalid: it must be ${EXPECTED[name]}`);
}

/** The OpenID provider, if its users can come back from it. */
function readOidc(data: z.output<typeof variables>): OidcConfig | null {
  if (data.OIDC_ISSUER === null) return null;
  if (data.OIDC_CLIENT_ID === null) return refuse('OIDC_CLIENT_ID');
  if (data.PUBLIC_URL === null) return null;
  return {
    issuer: data.OIDC_ISSUER.href,
    clientId: data.OIDC_CLIENT_ID,
    clientSecret: data.OIDC_CLIENT_SECRET,
    name: data.OIDC_NAME ?? data.OIDC_ISSUER.hostname,
  };
}

/** Whether a URL can name an OpenID provider. Tokens are sent to it, so without HTTPS it has to be on this machine. */
function isIssuer({ protocol, hostname, username, password, search, hash }: URL): boolean {
  const isPlain = username === '' && password === '' && search === '' && hash === '';
  return isPlain && (protocol === 'https:' || isLoopback(hostname));
}

const UNEXPANDED: readonly (readonly [RegExp, string])[] = [
  [/^(["']).*\1$/, 'quotation marks'],
  [/^~(?=$|[\\/])/, '~'],
  [/^\$/, '$'],
];

/**
 * Rejects a path with what a shell would have removed or replaced: not every program that reads a file of variables does
 * that. It would name a new folder below the current one, with an empty album in it, or with the backups.
 */
function assertExpanded(name: string, path: string): void {
  const found = UNEXPANDED.find(([pattern]) => pattern.test(path));
  if (found) throw new ConfigError(`${name} is invalid: it must be ${EXPECTED[name]}, without ${found[1]}`);
}

/** Rejects a folder inside the data folder: a backup there would be lost together with the data. */
function readBackupDir(backupDir: string, dataDir: string): string {
  if (isOutside(backupDir, dataDir)) return backupDir;
  return refuse('BACKUP_DIR');
}

/**
 * Returns whether a folder is neither the other folder nor inside it. Both paths are absolute.
 * @param path the path rules of this system; tests pass those of another
 */
export function isOutside(
  folder: string,
  other: string,
  path: Pick<typeof nodePath, 'relative' | 'isAbsolute'> = nodePath,
): boolean {
  const relative = path.relative(other, folder);
  // On Windows there is no relative path between two drives.
  return path.isAbsolute(relative) || /^\.\.(?:[\\/]|$)/.test(relative);
}

/** Returns whether a URL is only an origin. The page's paths start at the root, so a longer URL can't work. */
function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { href, origin } = new URL(text);
  return href === `${origin}/` && !/[?#]$/.test(text);
}

function readStorage(url: URL): S3Config {
  const endpoint = url.searchParams.get('endpoint');
  // A mistyped endpoint would mean Amazon's.
  const isMistyped = endpoint === null && url.searchParams.keys().some((name) => name !== 'region');
  if (url.hostname === '' || isMistyped || (endpoint !== null && !/^https?:\/\/.+/.test(endpoint))) {
    refuse('STORAGE_URL');
  }
  return {
    bucket: url.hostname,
    prefix: url.pathname.replace(/^\/+|\/+$/g, ''),
    endpoint,
    region: url.searchParams.get('region') ?? 'us-east-1',
  };
}

/** The URL of an HTTP server. An IPv6 address is in brackets. */
export function httpUrl(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
