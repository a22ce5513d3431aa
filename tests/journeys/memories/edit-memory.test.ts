import { describe, expect, it } from 'vitest';
import { findAccessibilityIssues } from '../../support/accessibility.ts';
import { DESKTOP, PHONE } from '../../support/browser.ts';
import { registerCouple } from '../../support/client.ts';
import { addPhoto, completeDate } from '../../support/factories.ts';
import { useApp } from '../../support/use-app.ts';

const DAY = 86_400_000;

describe('a memory', () => {
  const here = useApp();
  const beginWith = async () => {
    const { ada, ben } = await registerCouple(here.app);
    const at = Date.now() - 3 * DAY;
    const pier = await completeDate(ada, { idea: { title: 'The pier' }, at, minutes: 60 });
    const fair = await completeDate(ada, { idea: { title: 'The fair' }, at: at - DAY, minutes: 60 });
    const one = await addPhoto(ada, pier.id, 1, 'The hole beach');
    await addPhoto(ada, pier.id, 2, 'One lamp');
    return { ada, ben, pier, fair, one };
  };

  it('is corrected from the grid and from the list', { tags: ['memories.edit.5'] }, async () => {
    const { ada, fair } = await beginWith();
    const page = await here.openAs(ada, PHONE);
    await page.goto('/memories');
    await page.getByRole('button', { name: 'Edit: The hole beach' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit Memory' });
    const caption = dialog.getByLabel('Caption');
    await expect.poll(() => caption.inputValue()).toBe('The hole beach');
    await dialog.getByText('14/500').waitFor();
    expect(await findAccessibilityIssues(page, 'Edit Memory')).toEqual([]);
    await caption.fill('The whole beach');
    await dialog.getByLabel('Date').selectOption(fair.id);
    await dialog.getByLabel('Taken').fill('2019-06-01T12:00');
    await dialog.getByRole('button', { name: 'Save Changes' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Edit: The whole beach' }).waitFor();
    await page.goto(`/memories?dateId=${fair.id}&view=list&sort=story-asc`);
    await page.getByRole('heading', { name: 'June 2019' }).waitFor();
    await page.getByRole('button', { name: 'Edit: The whole beach' }).press('Enter');
    await dialog.getByRole('button', { name: /Use the Photograph.s Own Time/ }).click();
    await expect.poll(() => dialog.getByLabel('Taken').inputValue()).toBe('');
    await dialog.getByRole('button', { name: 'Save Changes' }).click();
    await page.getByRole('heading', { name: 'June 2019' }).waitFor({ state: 'detached' });
  });

  it('is corrected in the slideshow, which stands still meanwhile', { tags: ['memories.edit.6'] }, async () => {
    const { ada, ben, one } = await beginWith();
    const page = await here.openAs(ada, DESKTOP);
    await page.goto('/memories?sort=date-asc');
    await page.getByRole('button', { name: 'View: The hole beach' }).click();
    const show = page.getByRole('dialog', { name: 'Slideshow' });
    await show.getByText('1 / 2').waitFor();
    await show.getByRole('button', { name: 'Edit', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit Memory' });
    const caption = dialog.getByLabel('Caption');
    await caption.fill('The whole ');
    await caption.press('End');
    await page.keyboard.type('beach now');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => caption.inputValue()).toBe('The whole beach now');
    await show.getByText('1 / 2').waitFor();
    await ben.call('PUT /api/Memories/{id}', { params: { id: one.id }, body: { caption: 'Our beach' } });
    await dialog.getByRole('button', { name: 'Save Changes' }).click();
    const theirs = dialog.getByRole('region', { name: 'Their version' });
    await theirs.getByText('Our beach').waitFor();
    await theirs.getByRole('button', { name: 'Overwrite' }).click();
    await dialog.waitFor({ state: 'detached' });
    await show.getByText('The whole beach now').waitFor();
    await show.getByRole('button', { name: 'Edit', exact: true }).click();
    await caption.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await show.waitFor();
    await page.keyboard.press('Escape');
    await show.waitFor({ state: 'detached' });
  });
});
