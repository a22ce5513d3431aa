import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../scripts/lib/root.ts';
import { runCaptured } from '../../scripts/lib/run-program.ts';
import { SERVER_ENTRY, SERVER_ENV } from '../../scripts/lib/server-launch-settings.ts';
import { describeOnBoth, type Engine, onPostgresOnly, sqliteAndDisk } from '../support/engines.ts';
import { canMount, openSmallDisk } from '../support/small-disk.ts';
import { createTestStorage, type TestStorage } from '../support/test-storage.ts';

type Variables = Readonly<Record<string, string>>;

/** Changes parts of a URL. */
function changed(url: string | undefined, parts: Readonly<Record<string, string>>): string {
  return Object.assign(new URL(url ?? ''), parts).href;
}

/** Prepares a storage for the tests around it. Returns how they start the server and run commands on it. */
function prepare(engine: Engine) {
  let storage: TestStorage;
  let folder: string;
  beforeAll(async () => {
    storage = await createTestStorage(engine);
    folder = await mkdtemp(join(tmpdir(), 'our-love-story-test-'));
  });
  afterAll(async () => {
    await storage.remove();
    await rm(folder, { recursive: true });
  });

  const run = (script: readonly string[], variables: Variables) => {
    const env = Object.entries({
      NODE_COMPILE_CACHE: SERVER_ENV.NODE_COMPILE_CACHE,
      PORT: '0',
      ...storage.env,
      ...variables,
    });
    return runCaptured('env', ['-i', ...env.map(([name, value]) => `${name}=${value}`), process.execPath, ...script]);
  };
  const start = (variables: Variables) => run([SERVER_ENTRY], variables);
  const script = (name: string) => join(root, 'scripts', `${name}.ts`);
  const backUp = (variables: Variables) => run([script('backup'), join(folder, 'backups')], variables);
  /** The start and a command say the same, in one line. */
  const expectOneLine = async (variables: Variables, expected: RegExp) => {
    for (const { code, output } of [await start(variables), await backUp(variables)]) {
      expect(output).toMatch(expected);
      expect(output.trimEnd().split('\n')).toHaveLength(1);
      expect(output).not.toContain('secret');
      expect(code).toBe(1);
    }
  };
  return {
    variable: (name: string) => storage.env[name],
    path: (name: string) => join(folder, name),
    run,
    start,
    script,
    expectOneLine,
  };
}

/** The commands that need an album, with their arguments. */
const COMMANDS: readonly (readonly [string, ...string[]])[] = [
  ['backup', 'backups'],
  ['scrub'],
  ['orphans'],
  ['adopt-store'],
  ['admin', 'reset-password', 'ada@example.org'],
];

describe('a start or command that fails with SQLite', () => {
  const { path, variable, run, start, script, expectOneLine } = prepare(sqliteAndDisk);

  it.each([
    ['PORT', 'seventy'],
    ['REGISTRATION', 'perhaps'],
    ['TRUST_PROXY', 'yes'],
    ['LOG_LEVEL', 'loud'],
    ['DRAIN_SECONDS', '3601'],
    ['PUBLIC_URL', 'our house'],
    ['PUBLIC_URL', 'https://love.example/album'],
    ['PUBLIC_URL', 'https://love.example/?album=1'],
    ['PUBLIC_URL', 'https://love.example?'],
    ['PUBLIC_URL', 'https://love.example/#album'],
    ['PUBLIC_URL', 'https://ada:secret@love.example'],
    ['DATABASE_URL', 'mysql://somewhere'],
    ['DATABASE_DIRECT_URL', 'mysql://somewhere'],
    ['DATABASE_DIRECT_URL', 'postgres://without.DATABASE_URL'],
    ['STORAGE_URL', '/var/photos'],
  ])(
    'because of %s=%s says so in one line that names it, and creates nothing',
    {
      tags: ['running.start.1'],
    },
    async (name, value) => {
      const { code, output } = await start({ DATA_DIR: path('unused'), [name]: value });
      expect(output).toMatch(new RegExp(`^${name} .*\n$`));
      expect(code).toBe(1);
      expect(existsSync(path('unused'))).toBe(false);
    },
  );

  it('because the backups would be lost together with the data says so in one line', {
    tags: ['running.start.1'],
  }, async () => {
    const { code, output } = await start({ BACKUP_DIR: join(variable('DATA_DIR') ?? '', 'backups') });
    expect(output).toMatch(/^BACKUP_DIR .*\n$/);
    expect(code).toBe(1);
  });

  it('because of an unexpected error names its source', {
    tags: ['running.start.2', 'running.start.7'],
  }, async () => {
    const data = path('foreign');
    await mkdir(data);
    // The database of another program.
    const foreign = new BetterSqlite3(join(data, 'our-love-story.db'));
    foreign.exec('create table kysely_migration (id text)');
    foreign.close();
    const { code, output } = await start({ DATA_DIR: data });
    expect(output).toContain('no such column');
    expect(output).toMatch(/at .*\(.*src\/base\/server\/db\/compatibility\.ts:\d+:\d+\)/);
    expect(code).toBe(1);
  });

  it.each(COMMANDS)(
    'because DATA_DIR is mistyped says so in one line, and creates nothing: %s',
    { tags: ['running.commands.1'] },
    async (name, ...args) => {
      const data = path('mistyped');
      const { code, output } = await run([script(name), ...args], { DATA_DIR: data });
      expect(output).toBe(`There is no album in ${data}. Correct DATA_DIR, or start the app there once.\n`);
      expect(code).toBe(1);
      expect(existsSync(data)).toBe(false);
    },
  );

  it('because the export is mistyped says so in one line', { tags: ['running.commands.1'] }, async () => {
    const { code, output } = await run([script('import'), path('mistyped.zip')], {});
    expect(output).toBe(`There is no file ${path('mistyped.zip')}.\n`);
    expect(code).toBe(1);
  });

  it('because the data folder is a file says so in one line', { tags: ['running.start.2'] }, async () => {
    const file = path('a-file');
    await writeFile(file, '');
    await expectOneLine({ DATA_DIR: file }, /^A file is where a folder should be \(.*a-file'\)/);
    await expectOneLine({ DATA_DIR: join(file, 'data') }, /^A file is where a folder should be \(.*a-file.data'\)/);
  });

  it('because the database is damaged says so in one line', { tags: ['running.start.2'] }, async () => {
    const data = path('damaged');
    await mkdir(data);
    await writeFile(join(data, 'our-love-story.db'), Buffer.alloc(9_000, 'x'));
    await expectOneLine({ DATA_DIR: data }, /^The database in DATA_DIR is damaged\. .* \(file is not a database\)/);
  });

  it('because HOST is an unknown name says so in one line', { tags: ['running.start.2'] }, async () => {
    const { code, output } = await start({ HOST: 'nowhere.invalid' });
    expect(output).toBe('HOST is invalid: it must be an address to listen on\n');
    expect(code).toBe(1);
  });

  it('because the address is not of this machine says so in one line', { tags: ['running.start.2'] }, async () => {
    const { code, output } = await start({ HOST: '192.0.2.1' });
    expect(output).toMatch(/^This machine doesn’t have the address in HOST \(.*192\.0\.2\.1\)\.\n$/);
    expect(code).toBe(1);
  });

  it.runIf(canMount)(
    'because the disk is full says so in one line (where root allows)',
    { tags: ['running.start.2'] },
    async () => {
      const disk = await openSmallDisk(1);
      try {
        await disk.fill();
        await expectOneLine({ DATA_DIR: join(disk.folder) }, /^The disk is full\. /);
      } finally {
        await disk.remove();
      }
    },
  );
});

describeOnBoth('a start or command that fails', (engine) =>
  onPostgresOnly(engine, () => {
    const { path, variable, run, start, script, expectOneLine } = prepare(engine);

    it.each([
      ['the database is missing', { pathname: '/nowhere' }, /^PostgreSQL has no database of that name/],
      ['the user is unknown', { username: 'nobody', password: 'secret' }, /^PostgreSQL refuses the user or password/],
      [
        'the host is unknown',
        { hostname: 'nowhere.invalid' },
        /^Cannot find the host of the database or the photo store.* \(.*nowhere/,
      ],
      ['nothing listens there', { port: '1' }, /^Cannot reach the database or the photo store/],
    ] as const)('because %s says so in one line', { tags: ['running.start.2'] }, async (_, parts, expected) => {
      await expectOneLine({ DATABASE_URL: changed(variable('DATABASE_URL'), parts) }, expected);
    });

    it.each(COMMANDS)(
      'because the folder of photographs is mistyped says so in one line: %s',
      { tags: ['running.commands.1'] },
      async (name, ...args) => {
        const data = path('mistyped');
        const { code, output } = await run([script(name), ...args], { DATA_DIR: data, STORAGE_URL: '' });
        expect(output).toBe(`There is no album in ${data}. Correct DATA_DIR, or start the app there once.\n`);
        expect(code).toBe(1);
        expect(existsSync(data)).toBe(false);
      },
    );

    it('because the name of the bucket is impossible says so in one line', { tags: ['running.start.2'] }, async () => {
      const variables = { STORAGE_URL: changed(variable('STORAGE_URL'), { hostname: 'ab' }) };
      for (const { code, output } of [await start(variables), await run([script('orphans')], variables)]) {
        expect(output).toMatch(/^The photo store in STORAGE_URL refuses .*\((InvalidBucketName|NoSuchBucket)\)\.\n$/);
        expect(code).toBe(1);
      }
    });

    it('because the keys of the bucket are wrong says so in one line', { tags: ['running.start.2'] }, async () => {
      const { code, output } = await run([script('orphans')], { AWS_SECRET_ACCESS_KEY: 'secret' });
      expect(output).toMatch(/^The photo store in STORAGE_URL .*\(SignatureDoesNotMatch\)\.\n$/);
      expect(code).toBe(1);
    });
  }),
);
