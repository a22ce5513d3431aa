import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { backupSourceOf } from '../../../tests/support/backups.ts';
import { describeOnBoth, onPostgresOnly } from '../../../tests/support/engines.ts';
import { addPhoto, planDate } from '../../../tests/support/factories.ts';
import { type HttpProxy, startHttpProxy } from '../../../tests/support/http-proxy.ts';
import type { Partner } from '../../../tests/support/partner.ts';
import { registerCouple } from '../../../tests/support/register-couple.ts';
import { depsOf } from '../../../tests/support/server-deps.ts';
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts';
import type { CoupleId, UserId } from '../../base/ids.ts';
import type { Deps } from '../../base/server/deps.ts';
import { StoreUnavailable } from '../../base/server/files/files.ts';
import { openFiles } from '../../base/server/files/open.ts';
import { backUp } from './backup/backup.ts';
import { verifyBackup } from './backup/verify-backup.ts';
import { exportEntries } from './export/export-entries.ts';
import { scrubAll } from './integrity/scrub.ts';

type Answer = (response: ServerResponse) => void;

const status = (code: number): Answer => {
  return (response) => void response.writeHead(code, { 'content-length': 0 }).end();
};
const halfOf: Answer = (response) => {
  response.writeHead(200, { 'content-length': 1_000 }).write(Buffer.alloc(100));
  setTimeout(() => response.destroy(), 50);
};

describeOnBoth('a bucket behind a proxy', (engine) =>
  onPostgresOnly(engine, () => {
    let app: TestApp;
    let ada: Partner;
    let deps: Deps;
    let proxy: HttpProxy;
    let folder: string;
    /** Of three photographs the one in the middle. */
    let name: string;
    let id: string;

    beforeAll(async () => {
      app = await startTestApp(engine);
      ({ ada } = await registerCouple(app));
      const { id: dateId } = await planDate(ada);
      for (const seed of [1, 2, 3]) {
        const memory = await addPhoto(ada, dateId, seed);
        if (seed === 2) [name, id] = [`${ada.user.couple.id}/${memory.fileName}`, memory.id];
      }
      const plain = await depsOf(app);
      const { s3, dataDir } = plain.config;
      proxy = await startHttpProxy(s3?.endpoint ?? '');
      const files = await openFiles({ dataDir, s3: s3 && { ...s3, endpoint: proxy.url } });
      deps = { ...plain, files };
    });
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'our-love-story-refused-'));
    });
    afterEach(async () => {
      proxy.intercept = () => false;
      await rm(folder, { recursive: true });
    });
    afterAll(async () => {
      await proxy.close();
      await app.close();
    });

    /** Answers the requests for objects whose path contains this. */
    const refuse = (part: string, answer: Answer) => {
      proxy.intercept = ({ method, url }: IncomingMessage, response) => {
        const isRefused = method === 'GET' && url?.includes(part) === true;
        if (isRefused) answer(response);
        return isRefused;
      };
    };
    const back = async () => backUp({ ...(await backupSourceOf(app)), files: deps.files }, folder);
    const scrubbed = async () => {
      const found: string[] = [];
      const count = await scrubAll({ ...deps, config: { backupDir: null } }, (one, finding) =>
        found.push(`${one.id} ${finding}`),
      );
      return { count, found };
    };

    describe.each([
      ['500', status(500)],
      ['403', status(403)],
      ['half of it', halfOf],
    ])('that answers %s for one photograph', (_, answer) => {
      beforeEach(() => refuse(name, answer));

      it('is backed up without it', { tags: ['keeping.backup.13'] }, async () => {
        const { manifest, copied } = await back();
        expect([manifest.damaged, copied]).toEqual([[name], 2]);
        expect((await verifyBackup(folder)).faults).toEqual([]);
      });

      it('is scrubbed to the end', { tags: ['keeping.backup.13'] }, async () => {
        expect(await scrubbed()).toEqual({ count: 3, found: [`${id} lost`] });
      });
    });

    it('is exported without a photograph that it refuses', { tags: ['keeping.backup.13'] }, async () => {
      refuse(name, status(500));
      const names: string[] = [];
      for await (const entry of exportEntries(deps, {
        coupleId: ada.user.couple.id as CoupleId,
        userId: ada.user.id as UserId,
      })) {
        names.push(entry.name);
        if (!Buffer.isBuffer(entry.source)) for await (const _ of entry.source);
      }
      expect(names.filter((one) => one.startsWith('photos/'))).toHaveLength(2);
    });

    it.each([
      ['is out of reach', '', status(500)],
      ['is denied', '', status(403)],
      ['asks to slow down', '', status(503)],
      ['asks to slow down for one photograph', 'one', status(503)],
    ])('that %s makes no photograph lost', { tags: ['keeping.backup.13'] }, async (_, part, answer) => {
      refuse(part === '' ? '/' : name, answer);
      await expect(back()).rejects.toThrow(StoreUnavailable);
      await expect(scrubbed()).rejects.toThrow(StoreUnavailable);
    });

    it('that fails once makes no photograph lost', { tags: ['keeping.backup.13'] }, async () => {
      let failures = 0;
      proxy.intercept = ({ method, url }, response) => {
        if (method !== 'GET' || url?.includes(name) !== true || failures > 0) return false;
        failures += 1;
        halfOf(response);
        return true;
      };
      const { manifest, copied } = await back();
      expect(failures).toBe(1);
      expect([manifest.damaged, copied]).toEqual([[], 3]);
    });
  }),
);
