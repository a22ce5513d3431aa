/** A program that is missing on this machine, as in provision.ts. */
export interface Missing {
  readonly purpose: string;
  readonly packages: readonly string[];
  readonly advice: string;
}

/** The rate of a modest connection and disk, with which the time is estimated, in megabytes per second. */
const DOWNLOAD_RATE = 5;
const UNPACK_RATE = 15;

/**
 * Says what will be installed, how much that is and how long it takes, a line each.
 * @param estimate what apt-get says about the packages; undefined if it can't install them on this machine
 */
export function describeInstallation(missing: readonly Missing[], estimate: readonly string[] | undefined): string[] {
  if (estimate === undefined) {
    return [
      'These programs are missing and can’t be installed from here. Tests that need them fail or are skipped; the others run.',
      ...missing.map(({ purpose, advice }) => `  ${purpose}. ${advice}`),
    ];
  }
  const [download = 0, disk = 0] = estimate.map(megabytes);
  const minutes = Math.ceil((download / DOWNLOAD_RATE + disk / UNPACK_RATE) / 60);
  return [
    'Before the tests, apt-get installs:',
    ...missing.map(({ purpose, packages }) => `  ${purpose}: ${packages.join(', ')}`),
    `That is ${download} MB to download and ${disk} MB on the disk: about ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`,
  ];
}

/** The size in a sentence of apt-get, in whole megabytes: 'Need to get 93.2 MB/1,094 MB of archives.' is 94. */
function megabytes(sentence: string): number {
  const [, number = '0', unit = 'MB'] = / ([\d.,]+) ([kMG]?B)/.exec(sentence) ?? [];
  const factor = { B: 1e-6, kB: 1e-3, MB: 1, GB: 1e3 }[unit] ?? 1;
  return Math.ceil(Number(number.replaceAll(',', '')) * factor);
}
