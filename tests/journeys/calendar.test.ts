import { readFile } from 'node:fs/promises';
import AxeBuilder from '@axe-core/playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { openAs, useChromium } from '../support/browser.ts';
import { type Partner, registerCouple } from '../support/client.ts';
import { sqliteAndDisk } from '../support/engines.ts';
import { completeDate, planDate } from '../support/factories.ts';

describe("dates in a phone's calendar (issue 5)", () => {
  const chromium = useChromium();
  let app: TestApp;
  let ada: Partner;
  beforeAll(async () => {
    app = await startTestApp(sqliteAndDisk, { web: true });
    ({ ada } = await registerCouple(app));
  });
  afterAll(() => app.close());

  it('are shared by a link that is created, shown once, replaced and revoked in the settings', async () => {
    await planDate(ada, { idea: { title: 'Night train' } });
    const page = await openAs(chromium, ada);
    await page.goto('/settings');
    const setting = page.getByRole('region', { name: 'Calendar' });
    await setting.getByRole('button', { name: 'Make a Calendar Link' }).click();
    const url = await setting.getByRole('textbox', { name: 'Calendar link' }).inputValue();
    expect(await (await fetch(url)).text()).toContain('SUMMARY:Night train');
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);

    await page.reload();
    await setting.getByText(/^You have a link since/).waitFor();
    expect(await setting.getByRole('textbox').count()).toBe(0);
    await setting.getByRole('button', { name: 'Make a new link' }).click();
    const second = await setting.getByRole('textbox', { name: 'Calendar link' }).inputValue();
    expect([(await fetch(url)).status, (await fetch(second)).status]).toEqual([404, 200]);

    await setting.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
    await setting.getByRole('button', { name: 'Make a Calendar Link' }).waitFor();
    expect((await fetch(second)).status).toBe(404);
  });

  it("are exported one by one with 'Add to calendar' while planned", async () => {
    const date = await planDate(ada, { idea: { title: 'The slow lunch' } });
    const done = await completeDate(ada, { at: Date.now() - 86_400_000, minutes: 60 });
    const page = await openAs(chromium, ada);
    await page.goto(`/planned-dates/${date.id}`);
    const coming = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Add to calendar' }).click();
    const download = await coming;
    expect(download.suggestedFilename()).toBe('our-date.ics');
    const text = await readFile(await download.path(), 'utf8');
    expect(text).toContain(`UID:${date.id}`);
    expect(text).toContain('SUMMARY:The slow lunch');
    await page.goto(`/planned-dates/${done.id}`);
    await page.getByRole('heading', { name: 'When and where' }).waitFor();
    expect(await page.getByRole('button', { name: 'Add to calendar' }).count()).toBe(0);
  });
});
