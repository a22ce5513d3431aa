import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { backUp } from '../../src/keeping/server/backup/backup.ts';
import { backupSourceOf, restoreInto } from '../support/backups.ts';
import { describeOnSqlite } from '../support/engines.ts';
import { unzip } from '../support/export-archive.ts';
import { startOpenIdApp } from '../support/openid-app.ts';
import { PASSWORD, registerCouple } from '../support/register-couple.ts';
import { startTestApp } from '../support/test-app.ts';
import { createTestStorage } from '../support/test-storage.ts';

describeOnSqlite('a connection with an OpenID provider', (engine) => {
  it('comes back with a backup, and is in no export', { tags: ['openid.connecting.4'] }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'our-love-story-openid-'));
    const openId = await startOpenIdApp(engine);
    const storage = await createTestStorage(engine);
    try {
      const { ada } = await registerCouple(openId.app);
      const browser = openId.browser();
      const body = { intent: 'connect', currentPassword: PASSWORD } as const;
      const landing = await browser.roundTrip(body, 'ada-at-openid', ada);
      expect(landing.location).toContain('connected=true');

      const { url } = (await ada.call('POST /api/export')).body;
      const archive = join(folder, 'export.zip');
      await writeFile(archive, Buffer.from(await (await fetch(openId.app.url + url)).arrayBuffer()));
      const texts = [...(await unzip(archive)).values()].map((file) => file.toString());
      expect(texts.length).toBeGreaterThan(1);
      expect(texts.filter((text) => text.includes('ada-at-openid'))).toEqual([]);

      await backUp(await backupSourceOf(openId.app), join(folder, 'backup'));
      await restoreInto(storage, join(folder, 'backup'));
      const restored = await startTestApp(engine, { storage });
      const kept = await restored.db.read.selectFrom('oidcConnections').select(['userId', 'subject']).execute();
      await restored.close();
      expect(kept).toEqual([{ userId: ada.user.id, subject: 'ada-at-openid' }]);
    } finally {
      await openId.close();
      await storage.remove();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
