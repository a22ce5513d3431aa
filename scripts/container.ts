import { setTimeout as sleep } from 'node:timers/promises';
import { registerAda } from '../tests/support/client.ts';
import { freePorts } from '../tests/support/daemons.ts';
import { planDate } from '../tests/support/factories.ts';
import { makeJpeg } from '../tests/support/images.ts';
import { upload } from '../tests/support/uploads.ts';
import { ISOLATION, makeBaseImages, npmVolumes } from './container/base-images.ts';
import { buildah, podman } from './container/programs.ts';
import { CommandError, print, runCommand } from './lib/command.ts';
import { provision } from './lib/provision.ts';
import { root } from './lib/tools.ts';

/**
 * `npm run container`: builds the image of the Containerfile with buildah over a Debian of debootstrap, runs it with
 * podman, and checks what docs/operating.md says about it. Needs Debian and root. With BASE and BUILD_BASE it builds over
 * images of a registry. Takes about five minutes the first time. The image stays in `.cache/containers`.
 */

const IMAGE = 'localhost/our-love-story';
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
  } finally {
    await removeLeftovers();
  }
});

async function build(): Promise<void> {
  const { BASE, BUILD_BASE } = process.env;
  const isPublic = BASE !== undefined && BUILD_BASE !== undefined;
  const { base, build: builder } = isPublic ? { base: BASE, build: BUILD_BASE } : await makeBaseImages();
  const bases = ['--build-arg', `BASE=${base}`, '--build-arg', `BUILD_BASE=${builder}`];
  const pull = isPublic ? [] : ['--pull-never'];
  print(`Building ${IMAGE} over ${base} and ${builder} …`);
  const npm = await npmVolumes();
  await buildah(
    'build',
    '--layers',
    '--format',
    'docker',
    ...ISOLATION,
    ...pull,
    ...npm,
    ...bases,
    '--tag',
    IMAGE,
    root,
  );
}

async function checkImage(): Promise<void> {
  const [image] = JSON.parse(await podman('image', 'inspect', IMAGE)) as [
    { Size: number; Config: { User: string; Volumes: object; StopSignal: string }; Healthcheck?: object },
  ];
  const { User, Volumes, StopSignal } = image.Config;
  check('is not run by root', User === '10001:10001');
  check('has one volume', Object.keys(Volumes).join() === '/data');
  check('has a health check, and stops on SIGTERM', image.Healthcheck !== undefined && StopSignal === 'SIGTERM');
  const found = await podman('run', '--rm', ...LIMITS, IMAGE, 'sh', '-c', `command -v ${BUILD_TOOLS.join(' ')}; true`);
  check(`contains no build tools ${found}`, found === '');
  const packages = await podman('run', '--rm', ...LIMITS, IMAGE, 'ls', '/app/node_modules');
  check(
    'contains no packages that only the build needs',
    !packages.split('\n').some((name) => BUILD_PACKAGES.includes(name)),
  );
  print(`  ${Math.round(image.Size / 1e6)} MB`);
}

async function checkRunning(): Promise<void> {
  const [port = 0] = await freePorts(1);
  const url = `http://127.0.0.1:${port}`;
  const start = () =>
    podman(
      ...['run', '--detach', '--name', NAME, '--read-only', '--volume', `${VOLUME}:/data`, ...LIMITS],
      ...['--env', `PORT=${port}`, '--env', `DRAIN_SECONDS=${DRAIN_SECONDS}`, IMAGE],
    );
  await start();
  await until(async () => (await status(`${url}/readyz`)) === 200);
  const inside = (script: string) => podman('exec', NAME, 'node', '-e', script);
  check(
    'runs the server as process 1',
    /main\.cjs/.test(await inside(`console.log(fs.readFileSync('/proc/1/cmdline', 'utf8'))`)),
  );
  check('is not root inside', (await inside('console.log(process.getuid())')) === '10001');
  for (const folder of ['/app', '/etc', '/usr']) {
    const code = await inside(`try { fs.writeFileSync('${folder}/x', '') } catch ({ code }) { console.log(code) }`);
    check(`cannot write to ${folder}`, code === 'EROFS');
  }
  await podman('healthcheck', 'run', NAME);
  check('is healthy', true);

  const printed = (await podman('logs', NAME)).match(/^Setup code: .*$/gm)?.map((line) => `${line}\n`) ?? [];
  const ada = await registerAda({ url, printed });
  const { id: dateId } = await planDate(ada);
  check('takes a photograph', (await upload(ada, await makeJpeg(), { dateId })).status === 201);
  await checkStopping(url);
  await start();
  await until(async () => (await status(`${url}/readyz`)) === 200);
  check('has its photograph after a restart', (await ada.call('GET /api/Memories')).body.length === 1);
}

async function checkStopping(url: string): Promise<void> {
  const stopping = podman('stop', '--time', '20', NAME);
  await until(async () => (await status(`${url}/readyz`)) === 503);
  check('drains on SIGTERM: it still serves, and says that it is stopping', (await status(`${url}/healthz`)) === 200);
  await stopping;
  const code = await podman('inspect', '--format', '{{.State.ExitCode}}', NAME);
  check('ends with 0', code === '0');
  await podman('rm', NAME);
}

async function removeLeftovers(): Promise<void> {
  await podman('rm', '--force', '--ignore', NAME);
  await podman('volume', 'rm', '--force', VOLUME);
}

/** Prints what is true, and throws for what is not. */
function check(what: string, isTrue: boolean): void {
  if (!isTrue) throw new CommandError(`✗ The container: ${what}`);
  print(`✓ ${what}`);
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
    if (performance.now() > deadline) throw new CommandError(`Waited for a minute:\n${await podman('logs', NAME)}`);
    await sleep(100);
  }
}
