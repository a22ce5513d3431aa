import nodePath, { resolve } from 'node:path';
import { z } from 'zod';

/** What the variables say (contract 4), parsed once at start. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** Absolute path. */
  readonly dataDir: string;
  /** `postgres://…`, or null for SQLite in `dataDir`. */
  readonly databaseUrl: string | null;
  /** The bucket, or null for files in `dataDir`. */
  readonly s3: S3Config | null;
  /** Absolute path of the folder into which everything is backed up each night, or null where it is not. */
  readonly backupDir: string | null;
  /** An origin, without a slash at its end; null where it is taken from the request. */
  readonly publicUrl: string | null;
  readonly registration: 'first' | 'open' | 'closed';
  /** How many proxies stand before the server. */
  readonly trustProxy: number;
  /** What a reader of `/metrics` shows; null where there are none. */
  readonly metricsToken: string | null;
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
  /** Where the built page lies, or null where only the calls are served (tests). */
  readonly webRoot: string | null;
}

export interface S3Config {
  readonly bucket: string;
  readonly prefix: string;
  readonly endpoint: string | null;
  readonly region: string;
}

/** A variable that makes no sense; the start stops with its one line (contract 4). */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
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
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//)
    .refine((url) => URL.canParse(url))
    .nullable()
    .default(null),
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
  TRUST_PROXY: z
    .string()
    .regex(/^\d{1,2}$/)
    .transform(Number)
    .default(0),
  METRICS_TOKEN: z
    .string()
    .regex(/^[!-~]{16,}$/)
    .nullable()
    .default(null),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
});

const MEANINGS: Readonly<Record<string, string>> = {
  HOST: 'an address to listen on',
  PORT: 'a port from 0 to 65535',
  DATA_DIR: 'a folder',
  DATABASE_URL: 'an address that begins with postgres://',
  STORAGE_URL: 'an address such as s3://bucket?endpoint=https://…&region=…',
  BACKUP_DIR: 'a folder outside of DATA_DIR',
  PUBLIC_URL: 'an address such as https://album.example, without a path, query, user name or password',
  REGISTRATION: 'first, open or closed',
  TRUST_PROXY: 'the number of proxies before the server',
  METRICS_TOKEN: 'at least 16 characters without spaces',
  LOG_LEVEL: 'fatal, error, warn, info, debug, trace or silent',
};

/**
 * Reads the configuration. A blank variable is an absent one.
 * @throws ConfigError naming the variable, never its value, which may hold a password.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>, webRoot: string | null = null): Config {
  const given = Object.fromEntries(
    Object.keys(MEANINGS).flatMap((name) => {
      const value = env[name]?.trim();
      return value ? [[name, value]] : [];
    }),
  );
  const parsed = variables.safeParse(given);
  if (!parsed.success) {
    const name = String(parsed.error.issues[0]?.path[0]);
    throw new ConfigError(`${name} makes no sense: it should be ${MEANINGS[name]}`);
  }
  const { data } = parsed;
  return {
    host: data.HOST,
    port: data.PORT,
    dataDir: resolve(data.DATA_DIR),
    databaseUrl: data.DATABASE_URL,
    s3: data.STORAGE_URL === null ? null : readStorage(new URL(data.STORAGE_URL)),
    backupDir: data.BACKUP_DIR === null ? null : readBackupDir(resolve(data.BACKUP_DIR), resolve(data.DATA_DIR)),
    publicUrl: data.PUBLIC_URL,
    registration: data.REGISTRATION,
    trustProxy: data.TRUST_PROXY,
    metricsToken: data.METRICS_TOKEN,
    logLevel: data.LOG_LEVEL,
    webRoot,
  };
}

/** A backup inside the folder is lost together with it. */
function readBackupDir(backupDir: string, dataDir: string): string {
  if (isOutside(backupDir, dataDir)) return backupDir;
  throw new ConfigError(`BACKUP_DIR makes no sense: it should be ${MEANINGS.BACKUP_DIR}`);
}

/**
 * Whether a folder is neither another folder nor inside it; both are absolute paths.
 * @param path how paths are written: this system's way, or in tests another's
 */
export function isOutside(
  folder: string,
  other: string,
  path: Pick<typeof nodePath, 'relative' | 'isAbsolute'> = nodePath,
): boolean {
  const way = path.relative(other, folder);
  // Between two drives of Windows there is no relative path.
  return path.isAbsolute(way) || /^\.\.(?:[\\/]|$)/.test(way);
}

/** The page's paths begin at the root, so an address with more than an origin would lead nowhere. */
function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { href, origin } = new URL(text);
  return href === `${origin}/` && !/[?#]$/.test(text);
}

function readStorage(url: URL): S3Config {
  const endpoint = url.searchParams.get('endpoint');
  if (url.hostname === '' || (endpoint !== null && !/^https?:\/\/.+/.test(endpoint))) {
    throw new ConfigError(`STORAGE_URL makes no sense: it should be ${MEANINGS.STORAGE_URL}`);
  }
  return {
    bucket: url.hostname,
    prefix: url.pathname.replace(/^\/+|\/+$/g, ''),
    endpoint,
    region: url.searchParams.get('region') ?? 'us-east-1',
  };
}
