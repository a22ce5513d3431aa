import { spawnSync } from 'node:child_process';
import { firefox } from '../../tests/support/browsers/firefox.ts';
import { webkit } from '../../tests/support/browsers/webkit.ts';
import { hasCeph } from '../../tests/support/ceph.ts';
import { hasChromium, isHeadlessShellMissing } from '../../tests/support/chromium.ts';
import { hasCluster } from '../../tests/support/cluster/cluster.ts';
import { hasPromtool, hasRestic } from '../../tests/support/operating/has-promtool-and-restic.ts';
import { hasProxies } from '../../tests/support/operating/proxies.ts';
import { hasSystemd } from '../../tests/support/operating/systemd.ts';
import { estimateDebianPackages, installDebianPackages } from './apt.mjs';
import { describeInstallation, type Missing } from './installation-plan.ts';

/** Programs that the tests or `npm run container` need and npm can't install. */
interface Need {
  /** What they are, and what for. */
  readonly purpose: string;
  readonly isInstalled: () => boolean;
  /** Whether to install the packages although the programs are there. */
  readonly isUpgradeWanted?: () => boolean;
  /** Their Debian packages. */
  readonly packages: readonly string[];
  /** The services that the packages add to the system, which the tests don't use. */
  readonly services?: readonly string[];
  /** What the user can do, in one line. */
  readonly advice: string;
}

const NEEDS = {
  chromium: {
    purpose: 'Chromium, for the journeys',
    isInstalled: hasChromium,
    isUpgradeWanted: isHeadlessShellMissing,
    // Without fonts a page has no text, and neither has a screenshot.
    packages: ['chromium', 'chromium-headless-shell', 'fonts-liberation', 'fonts-noto-color-emoji'],
    advice: 'No Chromium found: install it, set CHROMIUM_PATH, or run `npx playwright-core install chromium`.',
  },
  firefox: {
    purpose: 'Firefox, for the main journeys',
    isInstalled: firefox.isInstalled,
    packages: ['firefox-esr'],
    advice: 'No Firefox: its journeys are skipped. Install firefox-esr (Debian), or set FIREFOX_PATH.',
  },
  webkit: {
    purpose: 'WebKit, for the main journeys',
    isInstalled: webkit.isInstalled,
    // MiniBrowser is in the library's package.
    packages: ['webkit2gtk-driver', 'libwebkit2gtk-4.1-0', 'xvfb'],
    advice: 'No WebKit: its journeys are skipped. Install webkit2gtk-driver and xvfb (Debian).',
  },
  ceph: {
    purpose: 'Ceph, for the tests with S3',
    isInstalled: hasCeph,
    packages: ['ceph-mon', 'ceph-osd', 'radosgw', 'ceph-common'],
    advice:
      'No S3 server found: install ceph-mon, ceph-osd, radosgw and ceph-common, or for the tests set TEST_S3_URL.',
  },
  cluster: {
    purpose: 'PostgreSQL with failover, for the tests of a cluster',
    isInstalled: hasCluster,
    packages: ['patroni', 'etcd-server', 'haproxy', 'pgbouncer', 'postgresql'],
    services: ['patroni', 'etcd', 'haproxy', 'pgbouncer', 'postgresql'],
    advice: 'No cluster: install patroni, etcd-server, haproxy, pgbouncer and postgresql (Debian), and Ceph.',
  },
  proxies: {
    purpose: 'Caddy, nginx and systemd, for the tests of docs/operating.md',
    isInstalled: () => hasProxies() && hasSystemd(),
    packages: ['caddy', 'nginx', 'openssl', 'systemd'],
    services: ['caddy', 'nginx'],
    advice: 'No reverse proxies: install caddy, nginx, openssl and systemd (Debian).',
  },
  operatorTools: {
    purpose: 'promtool and restic, for the tests of monitoring and of copies elsewhere',
    isInstalled: () => hasPromtool() && hasRestic(),
    packages: ['prometheus', 'restic'],
    services: ['prometheus'],
    advice: 'No promtool or restic: their tests are skipped. Install prometheus and restic (Debian).',
  },
  container: {
    purpose: 'buildah, podman and debootstrap, for `npm run container`',
    isInstalled: () =>
      spawnSync('sh', ['-c', 'command -v buildah && command -v podman && command -v debootstrap']).status === 0,
    packages: ['buildah', 'podman', 'crun', 'debootstrap'],
    advice: 'This needs buildah, podman, crun and debootstrap (Debian).',
  },
} satisfies Record<string, Need>;

type NeedName = keyof typeof NEEDS;

/**
 * Prints what `provision` would install and how much that is, or what is missing if it can't. Prints nothing if nothing
 * would be installed.
 */
export function announceProvision(names: readonly NeedName[]): void {
  const wanted = names.map((name): Need => NEEDS[name]).filter(isWanted);
  if (wanted.length === 0) return;
  console.log('Looking up what is missing …');
  const estimate = estimateDebianPackages(wanted.flatMap(({ packages }) => packages));
  const announced: Missing[] = estimate === undefined ? wanted.filter(({ isInstalled }) => !isInstalled()) : wanted;
  for (const line of describeInstallation(announced, estimate)) console.log(line);
}

function isWanted(need: Need): boolean {
  return !need.isInstalled() || need.isUpgradeWanted?.() === true;
}

/**
 * Installs the named programs that are missing, if the package manager allows it. (A single PostgreSQL comes with npm; the
 * cluster uses Debian's.) Returns for each name the advice to print if its programs are still missing, or null.
 */
export function provision<N extends NeedName>(names: readonly N[]): Record<N, string | null> {
  const advice = names.map((name) => {
    const need: Need = NEEDS[name];
    // One by one, so that one failure doesn't prevent the next.
    if (isWanted(need)) installDebianPackages(need.packages, need.services);
    return [name, need.isInstalled() ? null : need.advice] as const;
  });
  return Object.fromEntries(advice) as Record<N, string | null>;
}
