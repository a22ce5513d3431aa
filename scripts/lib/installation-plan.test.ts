import { describe, expect, it } from 'vitest';
import { describeInstallation } from './installation-plan.ts';

const missing = [
  { purpose: 'Chromium, for the journeys', packages: ['chromium', 'fonts-liberation'], advice: 'Set CHROMIUM_PATH.' },
  { purpose: 'Ceph, for the tests with S3', packages: ['radosgw'], advice: 'Set TEST_S3_URL.' },
];

describe('before npm test', { tags: ['running.repository.2'] }, () => {
  it('says what will be installed, how much it is, and how long it takes', () => {
    const estimate = [
      'Need to get 93.2 MB/1,094 MB of archives.',
      'After this operation, 1.3 GB of additional disk space will be used.',
    ];
    expect(describeInstallation(missing, estimate)).toEqual([
      'Before the tests, apt-get installs:',
      '  Chromium, for the journeys: chromium, fonts-liberation',
      '  Ceph, for the tests with S3: radosgw',
      'That is 94 MB to download and 1300 MB on the disk: about 2 minutes.',
    ]);
  });

  it('says what is missing where it can’t be installed', () => {
    expect(describeInstallation(missing, undefined)).toEqual([
      'These programs are missing and can’t be installed from here. Tests that need them fail or are skipped; the others run.',
      '  Chromium, for the journeys. Set CHROMIUM_PATH.',
      '  Ceph, for the tests with S3. Set TEST_S3_URL.',
    ]);
  });
});
