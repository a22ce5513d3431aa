import { hasS3 } from '../../tests/support/ceph.ts';
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

const CHROMIUM: Need = {
  isThere: hasChromium,
  // Without fonts a page has no text, and neither has a screenshot.
  packages: ['chromium', 'fonts-liberation', 'fonts-noto-color-emoji'],
  advice: 'No Chromium: install it, or name one with CHROMIUM_PATH, or run `npx playwright-core install chromium`.',
};
const S3: Need = {
  isThere: hasS3,
  packages: ['ceph-mon', 'ceph-osd', 'radosgw', 'ceph-common'],
  advice:
    'No S3 server: install ceph-mon, ceph-osd, radosgw and ceph-common, or name one with TEST_S3_URL and the AWS variables.',
};

/**
 * Installs what the tests need and this machine lacks, where its package manager lets us. PostgreSQL comes with npm.
 * The answer is the advice on what is still missing.
 */
export function provision(): { chromium: string | null; s3: string | null } {
  const missing = [CHROMIUM, S3].filter((need) => !need.isThere());
  // One after the other: where one can't be had, the other still can.
  for (const { packages } of missing) installDebianPackages(packages);
  const adviceOn = (need: Need) => (need.isThere() ? null : need.advice);
  return { chromium: adviceOn(CHROMIUM), s3: adviceOn(S3) };
}
