import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { chmod, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type DaemonOptions, NOBODY, startDaemon, untilReady } from '../daemons.ts';
import { freePorts } from '../free-ports.ts';
import { type Certificate, makeCertificate } from './certificate.ts';
import { HOST, operatingText, substitute } from './operating-texts.ts';
import { ProxyClient } from './proxy-client.ts';

export const PROXY_NAMES = ['Caddy', 'nginx'] as const;
export type ProxyName = (typeof PROXY_NAMES)[number];

const NGINX_CONF = '/etc/nginx/nginx.conf';

/** Whether Caddy, nginx and OpenSSL are installed, with Debian's main file for nginx. */
export function hasProxies(): boolean {
  return ['caddy', 'nginx', 'openssl'].every((program) => pathOf(program) !== undefined) && existsSync(NGINX_CONF);
}

/** A reverse proxy with the configuration that `docs/operating.md` recommends, before an app on this machine. */
export interface StartedProxy {
  readonly name: ProxyName;
  /** The port for HTTPS, and the one for plain HTTP that redirects to it. */
  readonly port: number;
  readonly httpPort: number;
  readonly certificate: Certificate;
  /** Its processes. */
  pids(): number[];
  output(): string;
  stop(): Promise<void>;
}

export interface ProxyOptions {
  /** The address of the app: `http://127.0.0.1:3000`. */
  readonly app: string;
  /** By what all its timeouts are divided, those that the page leaves at their defaults too. */
  readonly faster?: number;
  /** Changes the page's text, for a test that wants to see the difference. */
  readonly edit?: (text: string) => string;
}

interface Place extends Required<Omit<ProxyOptions, 'edit'>> {
  readonly folder: string;
  readonly port: number;
  readonly httpPort: number;
  readonly certificate: Certificate;
}

/** Starts a proxy with the page's text, a certificate of its own, and free ports. Throws with its output if it ends. */
export async function startProxy(
  name: ProxyName,
  { app, faster = 1, edit = (text) => text }: ProxyOptions,
): Promise<StartedProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'our-love-story-proxy-'));
  const certificate = makeCertificate(HOST, folder);
  const [port = 0, httpPort = 0] = await freePorts(2);
  const { config, command, stopSignal } = PROXIES[name]({ app, faster, folder, port, httpPort, certificate }, edit);
  writeFileSync(join(folder, config.file), config.text);
  // It may run as another user.
  await chmod(folder, 0o755);
  await chmod(certificate.keyFile, 0o644);
  for (const part of FOLDERS) {
    mkdirSync(join(folder, part));
    await chmod(join(folder, part), 0o777);
  }
  const home = { HOME: folder, XDG_DATA_HOME: join(folder, 'data'), XDG_CONFIG_HOME: join(folder, 'data') };
  const options: DaemonOptions = {
    env: { PATH: process.env.PATH, ...home },
    deathSignal: name === 'nginx' ? 'TERM' : 'KILL',
    ...(NOBODY ? { user: NOBODY } : {}),
  };
  const [program, ...args] = command;
  const daemon = startDaemon(pathOf(program) ?? program, args, options);
  const started: StartedProxy = {
    name,
    port,
    httpPort,
    certificate,
    pids: () => [daemon.pid, ...childrenOf(daemon.pid)],
    output: daemon.output,
    stop: async () => {
      await daemon.stop(stopSignal);
      await rm(folder, { recursive: true, force: true });
    },
  };
  await untilReady(daemon, () => isHealthy(started), name, 50);
  return started;
}

async function isHealthy(proxy: StartedProxy): Promise<boolean> {
  const client = new ProxyClient(proxy, { version: '1.1' });
  try {
    return (await client.send('GET', '/healthz')).status === 200;
  } finally {
    client.close();
  }
}

/** The folders that a proxy may write to. */
const FOLDERS = ['data', 'body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'] as const;

interface Prepared {
  readonly config: { readonly file: string; readonly text: string };
  readonly command: readonly [string, ...string[]];
  readonly stopSignal: NodeJS.Signals;
}

/*
 * What the test substitutes in the texts of docs/operating.md: ports, the certificate's files, and where a proxy writes.
 * Everything else is the page's and Debian's.
 */
const PROXIES: Record<ProxyName, (place: Place, edit: (text: string) => string) => Prepared> = {
  Caddy: ({ app, faster, folder, port, httpPort, certificate: { certFile, keyFile } }, edit) => {
    const site = substitute(edit(operatingText('caddyfile', 'reverse_proxy')), {
      [`${HOST} {\n`]: `${HOST} {\n\ttls ${certFile} ${keyFile}\n`,
      '127.0.0.1:3000 {\n': `${new URL(app).host} {\n${faster === 1 ? '' : fasterTransport(faster)}`,
    });
    const timeouts = faster === 1 ? '' : `\tservers {\n\t\ttimeouts {\n\t\t\tidle ${300_000 / faster}ms\n\t\t}\n\t}\n`;
    const text = `{\n\tadmin off\n\thttp_port ${httpPort}\n\thttps_port ${port}\n${timeouts}}\n${site}`;
    return {
      config: { file: 'Caddyfile', text },
      command: ['caddy', 'run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'],
      // On a softer signal it waits for its connections, and an event stream has no end.
      stopSignal: 'SIGKILL',
    };
  },
  nginx: ({ app, faster, folder, port, httpPort, certificate: { certFile, keyFile } }, edit) => {
    const site = substitute(edit(operatingText('nginx', 'proxy_pass')), {
      'listen 80;': `listen ${httpPort};`,
      'listen 443 ': `listen ${port} `,
      [`/etc/letsencrypt/live/${HOST}/fullchain.pem`]: certFile,
      [`/etc/letsencrypt/live/${HOST}/privkey.pem`]: keyFile,
      'http://127.0.0.1:3000': app,
    });
    writeFileSync(join(folder, 'site.conf'), faster === 1 ? site : dividedTimes(site, faster));
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${join(folder, name.replace('client_', ''))};`,
    );
    const defaults = faster === 1 ? [] : [dividedTimes(NGINX_DEFAULT_TIMES, faster)];
    const text = substitute(readFileSync(NGINX_CONF, 'utf8'), {
      'user www-data;': 'daemon off;',
      '/run/nginx.pid': join(folder, 'data/nginx.pid'),
      '/var/log/nginx/error.log': 'stderr',
      'access_log /var/log/nginx/access.log': 'access_log off',
      'include /etc/nginx/conf.d/*.conf;': [...temporary, ...defaults].join('\n'),
      '/etc/nginx/sites-enabled/*': join(folder, 'site.conf'),
    });
    return {
      config: { file: 'nginx.conf', text },
      command: ['nginx', '-e', 'stderr', '-c', join(folder, 'nginx.conf')],
      stopSignal: 'SIGTERM',
    };
  },
};

/** The times that Caddy allows an app by default (2.6); all others are unlimited. */
function fasterTransport(faster: number): string {
  const times = { dial_timeout: 3_000, keepalive: 120_000 };
  const lines = Object.entries(times).map(([name, ms]) => `\t\t\t${name} ${ms / faster}ms\n`);
  return `\t\ttransport http {\n${lines.join('')}\t\t}\n`;
}

/** Every time limit of nginx on the path of a request, with its default, unless the page sets it. */
const NGINX_DEFAULT_TIMES = `
  client_header_timeout 60s;
  send_timeout 60s;
  keepalive_timeout 75s;
  keepalive_time 1h;
  lingering_time 30s;
  lingering_timeout 5s;
  proxy_connect_timeout 60s;
`;

/** Divides every time of a configuration for nginx. */
function dividedTimes(config: string, by: number): string {
  const units: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };
  return config.replaceAll(
    /^(\s*\w+_time(?:out)?\s+)(\d+)([smh]);/gm,
    (_, name: string, count: string, unit: string) =>
      `${name}${Math.round((Number(count) * (units[unit] ?? 0)) / by)}ms;`,
  );
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(/\s+/).filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/** Where a program is. Debian's nginx is in a folder that the path of a user may lack. */
function pathOf(program: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'];
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path));
}
