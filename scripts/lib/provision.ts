import { hasCeph } from '../../tests/support/ceph.ts';
import { hasChromium } from '../../tests/support/chromium.ts';
import { installDebianPackages } from './apt.mjs';

/** Something the tests need which npm can't bring. */
interface Need {
  readonly isThere: () => boolean;
  /** Debian's packages of it. */
  readonly packages: readonly string[];
  /** What a person can do, in one line. */
  readonly advice: string;
}

const NEEDS = {
  chromium: {
    isThere: hasChromium,
    // Without fonts a page has no text, and neither has a screenshot.
    packages: ['chromium', 'fonts-liberation', 'fonts-noto-color-emoji'],
    advice: 'No Chromium: install it, or name one with CHROMIUM_PATH, or run `npx playwright-core install chromium`.',
  },
  ceph: {
    isThere: hasCeph,
    packages: ['ceph-mon', 'ceph-osd', 'radosgw', 'ceph-common'],
    advice:
      'No S3 server: install ceph-mon, ceph-osd, radosgw and ceph-common, or for the tests name one with TEST_S3_URL.',
  },
} satisfies Record<string, Need>;

type Name = keyof typeof NEEDS;

/**
 * Installs what this machine lacks of the named needs, where its package manager allows it. PostgreSQL comes with npm.
 * Returns for each the advice to print if it is still missing, or null.
 */
export function provision<N extends Name>(names: readonly N[]): Record<N, string | null> {
  const advice = names.map((name) => {
    const need: Need = NEEDS[name];
    // One after the other: if one can't be installed, the next still can.
    if (!need.isThere()) installDebianPackages(need.packages);
    return [name, need.isThere() ? null : need.advice] as const;
  });
  return Object.fromEntries(advice) as Record<N, string | null>;
}
