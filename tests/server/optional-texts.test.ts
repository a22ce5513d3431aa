import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eachOptionalText, NO_TEXTS, OPTIONAL_TEXTS, optionalTextNames } from '../../src/dates/optional-texts.ts';
import { describeOnBoth } from '../support/engines.ts';
import { unzip } from '../support/export-archive.ts';
import { completeDate, planDate } from '../support/factories.ts';
import type { Partner } from '../support/partner.ts';
import { registerCouple } from '../support/register-couple.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';

/** What holds for each optional text of a date, also for one that is added. */
describeOnBoth('each optional text of a date', (engine) => {
  let app: TestApp;
  let ada: Partner;
  let ben: Partner;
  beforeAll(async () => {
    app = await startTestApp(engine);
    ({ ada, ben } = await registerCouple(app));
  });
  afterAll(() => app.close());

  const read = async (who: Partner, id: string) =>
    (await who.call('GET /api/PlannedDates/{id}', { params: { id } })).body;

  it('is planned with a date', { tags: ['dates.texts.2'] }, async () => {
    const texts = eachOptionalText((name) => `planned ${name}`);
    const { id } = await planDate(ada, texts);
    expect(await read(ben, id)).toMatchObject(texts);
  });

  it('is edited, and cleared if it is absent', { tags: ['dates.texts.2'] }, async () => {
    const { id, plannedDateTime } = await planDate(
      ada,
      eachOptionalText(() => 'before'),
    );
    const texts = eachOptionalText((name) => `edited ${name}`);
    const edit = (body: object) =>
      ada.call('PUT /api/PlannedDates/{id}', { params: { id }, body: { plannedDateTime, ...body } });
    expect((await edit(texts)).body).toMatchObject(texts);
    expect((await edit({})).body).toMatchObject(NO_TEXTS);
  });

  it('is part of a past date, and corrected', { tags: ['dates.texts.2'] }, async () => {
    const times = { actualStartTime: '2025-05-20T14:00:00Z', actualEndTime: '2025-05-20T16:00:00Z' };
    const past = eachOptionalText((name) => `past ${name}`);
    const idea = { title: 'Boating', category: 'Outdoor' } as const;
    const added = await ada.call('POST /api/PlannedDates/past', { body: { idea, ...times, ...past } });
    expect(added.body).toMatchObject(past);
    const corrected = eachOptionalText((name) => `corrected ${name}`);
    const params = { id: added.body.id };
    const answer = await ada.call('PUT /api/PlannedDates/{id}/record', { params, body: { ...times, ...corrected } });
    expect(answer.body).toMatchObject(corrected);
  });

  describe.each(optionalTextNames)('%s', (name) => {
    const { label, max, planMax } = OPTIONAL_TEXTS[name];

    it('is refused beyond its limits', { tags: ['dates.texts.1'] }, async () => {
      const { id, plannedDateTime, dateIdea } = await planDate(ada);
      const plan = (length: number) =>
        ada.call('POST /api/PlannedDates', {
          body: { dateIdeaId: dateIdea.id ?? '', plannedDateTime, [name]: 'x'.repeat(length) },
        });
      const edit = (length: number) =>
        ada.call('PUT /api/PlannedDates/{id}', {
          params: { id },
          body: { plannedDateTime, [name]: 'x'.repeat(length) },
        });
      expect((await plan(planMax)).status).toBe(201);
      expect((await plan(planMax + 1)).body).toMatchObject({ message: `${label} cannot exceed ${planMax} characters` });
      expect((await edit(max)).status).toBe(200);
      expect((await edit(max + 1)).body).toMatchObject({ message: `${label} cannot exceed ${max} characters` });
    });

    it('is found by the search', { tags: ['search.1'] }, async () => {
      const { id } = await planDate(ada, { [name]: `Quokka${name}` });
      const { body } = await ben.call('GET /api/Search', { query: { q: `quokka${name}` } });
      expect(body.plannedDates.map((date) => date.id)).toEqual([id]);
    });

    it('is in each file of an export that has dates', { tags: ['keeping.export.1'] }, async () => {
      const text = `Numbat${name}`;
      await completeDate(ada, { [name]: text, at: '2025-05-20T14:00:00Z', minutes: 60 });
      const { url } = (await ada.call('POST /api/export')).body;
      const folder = await mkdtemp(join(tmpdir(), 'our-love-story-texts-'));
      const file = join(folder, 'export.zip');
      await writeFile(file, Buffer.from(await (await fetch(app.url + url)).arrayBuffer()));
      const files = await unzip(file);
      await rm(folder, { recursive: true });
      const telling = [...files].filter(([, bytes]) => bytes.includes(text)).map(([path]) => path);
      expect(telling.toSorted()).toEqual(['album.html', 'data/planned-dates.csv', 'data/story.json']);
    });
  });
});
