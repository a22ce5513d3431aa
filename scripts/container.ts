import { closeSync, globSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { planDate } from '../tests/support/factories.ts';
import { freePorts } from '../tests/support/free-ports.ts';
import { makeJpeg } from '../tests/support/images.ts';
import { registerAda } from '../tests/support/register-couple.ts';
import { upload } from '../tests/support/upload.ts';
import { ISOLATION, makeBaseImages, makeForeignBaseImage } from './container/base-images.ts';
import { runBuildah, runPodman } from './container/buildah-and-podman.ts';
import { npmVolumes } from './container/npm-volumes.ts';
import { CommandError, printLine, runCommand } from './lib/command.ts';
import { provision } from './lib/provision.ts';
import { root } from './lib/root.ts';

/**
 * `npm run container`: builds the image of the Containerfile with buildah over a Debian of debootstrap, runs it with
 * podman, and checks what docs/operating.md says about it. Needs Debian and root. It also builds the image for arm64, of
 * which nothing runs. Takes about eight minutes the first time. The images stay in `.cache/containers`.
 */

const IMAGE = 'localhost/our-love-story';
const FOREIGN_IMAGE = 'localhost/our-love-story-arm64';
/** The processor that builds it, by its name in images. */
const PROCESSOR = process.arch === 'x64' ? 'amd64' : process.arch;
/** ELF's number of arm64. */
const ARM64 = 183;
const NAME = 'our-love-story-check';
const VOLUME = 'our-love-story-check';
const DRAIN_SECONDS = 3;
/** Programs that build something, and packages that only the build needs. */
const BUILD_TOOLS = ['npm', 'npx', 'corepack', 'gcc', 'cc', 'c++', 'make', 'python3', 'git'];
const BUILD_PACKAGES = ['vite', 'typescript', 'vitest', 'knip', 'playwright-core', 'lucide-react'];

/** What every container gets: a host that isn't root everywhere may not raise limits, and needs no network of its own. */
const LIMITS = ['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=4096:4096', '--cgroups=disabled', '--network=host'];

await runCommand(async () => {
  const { container: advice } = provision(['container']);
  if (advice !== null || process.getuid?.() !== 0) throw new CommandError(advice ?? 'This needs root.');
  await build();
  await removeLeftovers();
  try {
    await checkImage();
    await checkRunning();
    await checkOtherUser();
    await checkForeignImage();
  } finally {
    await removeLeftovers();
  }
});

async function build(): Promise<void> {
  const { base, build: builder } = await makeBaseImages();
  const foreign = await makeForeignBaseImage();
  const npm = await npmVolumes();
  for (const [image, over, platform] of [
    [IMAGE, base, []],
    [FOREIGN_IMAGE, foreign, ['--platform', 'linux/arm64', '--build-arg', `BUILDPLATFORM=linux/${PROCESSOR}`]],
  ] as const) {
    printLine(`Building ${image} over ${over} and ${builder} …`);
    const bases = ['--build-arg', `BASE=${over}`, '--build-arg', `BUILD_BASE=${builder}`];
    const options = [...platform, ...ISOLATION, '--pull-never', ...npm, ...bases];
    await runBuildah('build', '--layers', '--format', 'docker', ...options, '--tag', image, root);
  }
}

/** The image for arm64 has that processor's programs alone (running.proxies.8). */
async function checkForeignImage(): Promise<void> {
  const container = await runBuildah('from', '--pull-never', FOREIGN_IMAGE);
  try {
    const folder = await runBuildah('mount', container);
    const native = ['better-sqlite3/prebuilds/linux-arm64.node', '@img/**/*.{node,so*}', '@node-rs/**/*.node'];
    const paths = [
      'usr/local/bin/node',
      'usr/lib/**/libatomic.so.1.*',
      ...native.map((path) => `app/node_modules/${path}`),
    ];
    const programs = globSync(paths, { cwd: folder });
    check('for arm64 has Node, its library, SQLite, the photographs’ library and the passwords’', programs.length >= 5);
    const others = programs.filter((path) => processorOf(join(folder, path)) !== ARM64);
    check(`for arm64 has no program of another processor ${others.join()}`, others.length === 0);
  } finally {
    await runBuildah('rm', container);
  }
}

/** The number of the processor in the head of a program (ELF's `e_machine`). */
function processorOf(path: string): number {
  const head = Buffer.alloc(20);
  const file = openSync(path, 'r');
  readSync(file, head, 0, head.length, 0);
  closeSync(file);
  return head.readUInt16LE(18);
}

async function checkImage(): Promise<void> {
  const [image] = JSON.parse(await runPodman('image', 'inspect', IMAGE)) as [
    { Size: number; Config: { User: string; Volumes: object; StopSignal: string }; Healthcheck?: object },
  ];
  const { User, Volumes, StopSignal } = image.Config;
  check('is not run by root', User === '10001:10001');
  check('has one volume', Object.keys(Volumes).join() === '/data');
  check('has a health check, and stops on SIGTERM', image.Healthcheck !== undefined && StopSignal === 'SIGTERM');
  const found = await runPodman(
    'run',
    '--rm',
    ...LIMITS,
    IMAGE,
    'sh',
    '-c',
    `command -v ${BUILD_TOOLS.join(' ')}; true`,
  );
  check(`contains no build tools ${found}`, found === '');
  const packages = await runPodman('run', '--rm', ...LIMITS, IMAGE, 'ls', '/app/node_modules');
  check(
    'contains no packages that only the build needs',
    !packages.split('\n').some((name) => BUILD_PACKAGES.includes(name)),
  );
  printLine(`  ${Math.round(image.Size / 1e6)} MB`);
}

async function checkRunning(): Promise<void> {
  const [port = 0] = await freePorts(1);
  const url = `http://127.0.0.1:${port}`;
  const start = () =>
    runPodman(
      ...['run', '--detach', '--name', NAME, '--read-only', '--volume', `${VOLUME}:/data`, ...LIMITS],
      ...['--env', `PORT=${port}`, '--env', `DRAIN_SECONDS=${DRAIN_SECONDS}`, IMAGE],
    );
  await start();
  await until(async () => (await status(`${url}/readyz`)) === 200);
  const inside = (script: string) => runPodman('exec', NAME, 'node', '-e', script);
  check(
    'runs the server as process 1',
    /main\.cjs/.test(await inside(`console.log(fs.readFileSync('/proc/1/cmdline', 'utf8'))`)),
  );
  check('is not root inside', (await inside('console.log(process.getuid())')) === '10001');
  for (const folder of ['/app', '/etc', '/usr']) {
    const code = await inside(`try { fs.writeFileSync('${folder}/x', '') } catch ({ code }) { console.log(code) }`);
    check(`cannot write to ${folder}`, code === 'EROFS');
  }
  await runPodman('healthcheck', 'run', NAME);
  check('is healthy', true);

  const printed = (await runPodman('logs', NAME)).match(/^Setup code: .*$/gm)?.map((line) => `${line}\n`) ?? [];
  const ada = await registerAda({ url, printed });
  const { id: dateId } = await planDate(ada);
  check('takes a photograph', (await upload(ada, await makeJpeg(), { dateId })).status === 201);
  await checkStopping(url);
  await start();
  await until(async () => (await status(`${url}/readyz`)) === 200);
  check('has its photograph after a restart', (await ada.call('GET /api/Memories')).body.length === 1);
}

/**
 * A user without a name works with a volume of its own. If the volume is another's, the message names its owner
 * (running.proxies.7).
 */
async function checkOtherUser(): Promise<void> {
  const run = (...args: string[]) => runPodman('run', '--rm', '--read-only', ...LIMITS, ...args);
  const volume = ['--volume', `${VOLUME}:/data`];
  const refused = await run('--user', '99:100', ...volume, IMAGE).catch(
    (error: unknown) => (error as { stderr?: string }).stderr,
  );
  check(
    'names both users to one who has no right to the volume',
    /user 99:100, and \/data belongs to 10001:10001/.test(refused ?? ''),
  );
  await run('--user', '0', '--entrypoint', 'chown', ...volume, IMAGE, '-R', '99:100', '/data');
  const [port = 0] = await freePorts(1);
  await runPodman('rm', '--force', NAME);
  await runPodman(
    'run',
    '--detach',
    '--name',
    NAME,
    '--read-only',
    '--user',
    '99:100',
    ...volume,
    ...LIMITS,
    '--env',
    `PORT=${port}`,
    IMAGE,
  );
  await until(async () => (await status(`http://127.0.0.1:${port}/readyz`)) === 200);
  check('works as any user with a volume of that user', true);
}

async function checkStopping(url: string): Promise<void> {
  const stopping = runPodman('stop', '--time', '20', NAME);
  await until(async () => (await status(`${url}/readyz`)) === 503);
  check('drains on SIGTERM: it still serves, and says that it is stopping', (await status(`${url}/healthz`)) === 200);
  await stopping;
  const code = await runPodman('inspect', '--format', '{{.State.ExitCode}}', NAME);
  check('ends with 0', code === '0');
  await runPodman('rm', NAME);
}

async function removeLeftovers(): Promise<void> {
  await runPodman('rm', '--force', '--ignore', NAME);
  await runPodman('volume', 'rm', '--force', VOLUME);
}

/** Prints what is true, and throws for what is not. */
function check(what: string, isTrue: boolean): void {
  if (!isTrue) throw new CommandError(`✗ The container: ${what}`);
  printLine(`✓ ${what}`);
}

function status(url: string): Promise<number> {
  return fetch(url).then(
    ({ status: code }) => code,
    () => 0,
  );
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (!(await isTrue())) {
    if (performance.now() > deadline) throw new CommandError(`Waited for a minute:\n${await runPodman('logs', NAME)}`);
    await sleep(100);
  }
}
