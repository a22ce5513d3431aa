import { expect, it } from 'vitest';
import { sqliteAndDisk } from '../../../tests/support/engines.ts';
import { spawnServer } from '../../../tests/support/spawn-server.ts';
import { startTestApp } from '../../../tests/support/test-app.ts';
import { createTestStorage } from '../../../tests/support/test-storage.ts';

it('the push keys are created at the first start, stay the same, and are never logged', {
  tags: ['reminders.4'],
}, async () => {
  const storage = await createTestStorage(sqliteAndDisk);
  const keys = async () => {
    const app = await startTestApp(sqliteAndDisk, { storage });
    const rows = await app.db.read.selectFrom('vapidKeys').selectAll().execute();
    await app.close();
    return rows;
  };
  const server = await spawnServer(storage, { env: { LOG_LEVEL: 'trace' } });
  await server.kill();
  const [made] = await keys();
  expect(made?.privateKey).toHaveLength(43);
  expect(server.output()).not.toContain(made?.privateKey);
  expect(await keys()).toEqual([made]);
  await storage.remove();
});
