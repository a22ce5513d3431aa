import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { createApp } from '../src/app/server/app.ts';
import { appVersion } from '../src/app/server/version.ts';
import { migrations } from '../src/base/server/db/migrations/index.ts';
import { openWithoutMigrating } from '../src/base/server/db/open.ts';
import { type Files, LABEL_NAME } from '../src/base/server/files/files.ts';
import { openFiles } from '../src/base/server/files/open.ts';
import { readConfig } from '../src/base/server/process/config.ts';
import { allRows, postgresTables, sqliteTables } from '../tests/support/dump-tables.ts';
import { createKeptStory, readKeptStory } from '../tests/support/kept-story.ts';
import { letFirstPartnerLeave } from '../tests/support/let-first-partner-leave.ts';
import { joinAsBen, registerAda } from '../tests/support/register-couple.ts';
import { RELEASES_FOLDER } from '../tests/support/releases-folder.ts';
import { TestServices } from '../tests/support/test-services.ts';
import { CommandError, printLine, runCommand } from './lib/command.ts';

/**
 * `npm run keep-release`: keeps the tables of the version in package.json and the data of a couple in
 * `tests/server/releases`, from where the tests upgrade them to later versions. Run it with each release.
 */
await runCommand(async () => {
  const folder = join(RELEASES_FOLDER, appVersion);
  if (existsSync(folder)) throw new CommandError(`Release ${appVersion} is already kept, and never changes.`);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'migrations.txt'), `${Object.keys(migrations).join('\n')}\n`);
  await keepCouple(folder);
  await keepPostgresTables(folder);
  printLine(`Kept the tables and data of ${appVersion} in ${folder}`);
});

/** Lets a couple use the app on SQLite, and keeps its tables, rows and photographs, and what both partners see. */
async function keepCouple(folder: string): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'our-love-story-release-'));
  const config = readConfig({ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent' });
  try {
    const app = await createApp(config);
    const server = { url: await app.listen() };
    const ada = await registerAda(server);
    await letFirstPartnerLeave(server, ada);
    const ben = await joinAsBen(server, ada);
    await createKeptStory(ada, ben);
    const story = await readKeptStory(server.url, [ada, ben]);
    await writeFile(join(folder, 'story.json'), `${JSON.stringify(story, null, 1)}\n`);
    await app.close();
    const { db } = openWithoutMigrating(config);
    await writeFile(join(folder, 'sqlite.sql'), await sqliteTables(db.read));
    await writeFile(join(folder, 'rows.sql'), await allRows(db.read));
    await db.close();
    await keepFiles(await openFiles(config), join(folder, 'photos'));
  } finally {
    await rm(dataDir, { recursive: true });
  }
}

async function keepPostgresTables(folder: string): Promise<void> {
  const services = new TestServices();
  try {
    const { url } = await services.newDatabase();
    const { db } = openWithoutMigrating({ databaseUrl: url, databaseDirectUrl: null, dataDir: '' });
    await writeFile(join(folder, 'postgres.sql'), await postgresTables(db.read));
    await db.close();
  } finally {
    await services.stop();
  }
}

/** Writes the photo store's files and its label into a folder. */
async function keepFiles(files: Files, folder: string): Promise<void> {
  for await (const name of files.list()) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, await buffer(await files.read(name)));
  }
  await writeFile(join(folder, LABEL_NAME), (await files.readLabel()) ?? '');
}
