import { realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { outputOf, runBuildah, workFolder } from './buildah-and-podman.ts';

/** The images that the Containerfile builds on. */
export interface BaseImages {
  /** The one that the image becomes. */
  readonly base: string;
  /** The one with Node and npm that builds it. */
  readonly build: string;
}

const DEBIAN = 'localhost/debian';
const FOREIGN_DEBIAN = 'localhost/debian-arm64';
const DEBIAN_WITH_NODE = 'localhost/debian-with-node';
const RELEASE = 'bookworm';
/** The build needs the network, and a chroot is the isolation that works everywhere. */
export const ISOLATION = ['--isolation', 'chroot', '--network', 'host'];

/** Makes a small Debian with `debootstrap`, and another one with this Node and npm, unless they are there already. */
export async function makeBaseImages(): Promise<BaseImages> {
  const images = (await runBuildah('images', '--format', '{{.Name}}')).split('\n');
  if (!images.includes(DEBIAN)) await makeDebian(DEBIAN);
  if (!images.includes(DEBIAN_WITH_NODE)) await addNode();
  return { base: DEBIAN, build: DEBIAN_WITH_NODE };
}

/** Makes a Debian for arm64, of which nothing runs: its packages are unpacked, and not set up. */
export async function makeForeignBaseImage(): Promise<string> {
  const images = (await runBuildah('images', '--format', '{{.Name}}')).split('\n');
  if (!images.includes(FOREIGN_DEBIAN)) await makeDebian(FOREIGN_DEBIAN, '--foreign', '--arch=arm64');
  return FOREIGN_DEBIAN;
}

async function makeDebian(name: string, ...options: string[]): Promise<void> {
  const folder = join(workFolder(), 'debian');
  rmSync(folder, { recursive: true, force: true });
  await outputOf('debootstrap', ['--variant=minbase', ...options, RELEASE, folder]);
  for (const cache of ['var/cache/apt/archives', 'var/lib/apt/lists']) {
    rmSync(join(folder, cache), { recursive: true, force: true });
  }
  const container = await runBuildah('from', 'scratch');
  await runBuildah('copy', '--quiet', container, folder, '/');
  if (name === FOREIGN_DEBIAN) await runBuildah('config', '--arch', 'arm64', container);
  await runBuildah('commit', '--quiet', '--rm', '--format', 'docker', container, name);
  rmSync(folder, { recursive: true });
}

async function addNode(): Promise<void> {
  const npm = join(realpathSync(await outputOf('sh', ['-c', 'command -v npm'])), '../..');
  const container = await runBuildah('from', '--pull-never', DEBIAN);
  await runBuildah('run', ...ISOLATION, container, '--', 'sh', '-c', 'apt-get update && apt-get install -y libatomic1');
  await runBuildah('copy', '--quiet', container, process.execPath, '/usr/local/bin/node');
  await runBuildah('copy', '--quiet', container, npm, '/usr/local/lib/node_modules/npm');
  const link = ['ln', '-s', '../lib/node_modules/npm/bin/npm-cli.js', '/usr/local/bin/npm'];
  await runBuildah('run', ...ISOLATION, container, '--', ...link);
  await runBuildah('commit', '--quiet', '--rm', '--format', 'docker', container, DEBIAN_WITH_NODE);
}
