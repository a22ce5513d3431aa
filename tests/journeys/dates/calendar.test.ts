import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { DAY } from '../../../src/base/durations.ts';
import { expectNoViolations } from '../../support/accessibility.ts';
import { completeDate, planDate } from '../../support/factories.ts';
import { useCouple } from '../../support/use-app.ts';

describe("dates in a phone's calendar", () => {
  const us = useCouple();

  it('are shared by a link that is created, shown once, replaced and revoked in the settings', {
    tags: ['dates.calendar.2'],
  }, async () => {
    await planDate(us.ada, { idea: { title: 'Night train' } });
    const page = await us.open();
    await page.goto('/settings');
    const setting = page.getByRole('region', { name: 'Calendar' });
    await setting.getByRole('button', { name: 'Make a Calendar Link' }).click();
    const url = await setting.getByRole('textbox', { name: 'Calendar link' }).inputValue();
    expect(await (await fetch(url)).text()).toContain('SUMMARY:Night train');
    await expectNoViolations(page);

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

  it("are exported one by one with 'Add to calendar' while planned", { tags: ['dates.calendar.4'] }, async () => {
    const date = await planDate(us.ada, { idea: { title: 'The slow lunch' } });
    const done = await completeDate(us.ada, { at: Date.now() - DAY, minutes: 60 });
    const page = await us.open();
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
