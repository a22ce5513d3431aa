import { hasCeph } from '../../tests/support/ceph.ts';
import { hasChromium, lacksHeadlessShell } from '../../tests/support/chromium.ts';
import { hasCluster } from '../../tests/support/cluster/cluster.ts';
import { installDebianPackages } from './apt.mjs';

/** A program that the tests need and npm can't install. */
interface Need {
  readonly isInstalled: () => boolean;
  /** Whether to install the packages although the tests can run without them. */
  readonly isWanted?: () => boolean;
  /** Its Debian packages. */
  readonly packages: readonly string[];
  /** The services that the packages add to the system, which the tests don't use. */
  readonly services?: readonly string[];
  /** What the user can do, in one line. */
  readonly advice: string;
}

const NEEDS = {
  chromium: {
    isInstalled: hasChromium,
    isWanted: lacksHeadlessShell,
    // Without fonts a page has no text, and neither has a screenshot.
    packages: ['chromium', 'chromium-headless-shell', 'fonts-liberation', 'fonts-noto-color-emoji'],
    advice: 'No Chromium found: install it, set CHROMIUM_PATH, or run `npx playwright-core install chromium`.',
  },
  ceph: {
    isInstalled: hasCeph,
    packages: ['ceph-mon', 'ceph-osd', 'radosgw', 'ceph-common'],
    advice:
      'No S3 server found: install ceph-mon, ceph-osd, radosgw and ceph-common, or for the tests set TEST_S3_URL.',
  },
  cluster: {
    isInstalled: hasCluster,
    packages: ['patroni', 'etcd-server', 'haproxy', 'pgbouncer', 'postgresql'],
    services: ['patroni', 'etcd', 'haproxy', 'pgbouncer', 'postgresql'],
    advice: 'No cluster: install patroni, etcd-server, haproxy, pgbouncer and postgresql (Debian), and Ceph.',
  },
} satisfies Record<string, Need>;

type Name = keyof typeof NEEDS;

/**
 * Installs the named programs that are missing, if the package manager allows it. (PostgreSQL comes with npm.) Returns
 * for each the advice to print if it is still missing, or null.
 */
export function provision<N extends Name>(names: readonly N[]): Record<N, string | null> {
  const advice = names.map((name) => {
    const need: Need = NEEDS[name];
    // One by one, so that one failure doesn't prevent the next.
    if (!need.isInstalled() || need.isWanted?.()) installDebianPackages(need.packages, need.services);
    return [name, need.isInstalled() ? null : need.advice] as const;
  });
  return Object.fromEntries(advice) as Record<N, string | null>;
}
