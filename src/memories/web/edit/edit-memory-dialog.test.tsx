import { describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { completeDate } from '../../../../tests/support/factories.ts';
import { failCalls } from '../../../../tests/support/handle-calls.ts';
import { isUncovered } from '../../../../tests/support/is-uncovered.ts';
import { findIssues, setReducedMotion } from '../../../../tests/support/screen-issues.ts';
import { advance, press, registerUs, show, uploadPhoto } from '../../../../tests/support/screens.tsx';

const DAY = 86_400_000;

describe('a memory', () => {
  const beginWith = async () => {
    const { ada, ben } = await registerUs();
    const at = Date.now() - 3 * DAY;
    const pier = await completeDate(ada, { idea: { title: 'The pier' }, at, minutes: 60 });
    const fair = await completeDate(ada, { idea: { title: 'The fair' }, at: at - DAY, minutes: 60 });
    const one = await uploadPhoto(ada, pier.id, 1, 'The hole beach');
    await uploadPhoto(ada, pier.id, 2, 'One lamp');
    return { ada, ben, pier, fair, one };
  };

  it('is corrected from the grid and from the list', { tags: ['memories.edit.5'] }, async () => {
    const { ada, fair } = await beginWith();
    await page.viewport(360, 780);
    await show('/memories', ada);
    await page.getByRole('button', { name: 'Edit: The hole beach' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit Memory' });
    const caption = dialog.getByLabelText('Caption');
    await expect.element(caption).toHaveValue('The hole beach');
    await expect.element(dialog.getByText('14/500')).toBeVisible();
    expect(await findIssues('Edit Memory')).toEqual([]);
    await caption.fill('The whole beach');
    await dialog.getByLabelText('Date').selectOptions(fair.id);
    await dialog.getByLabelText('Taken').fill('2019-06-01T12:00');
    await dialog.getByRole('button', { name: 'Save Changes' }).click();
    await expect.element(dialog).not.toBeInTheDocument();
    await expect.element(page.getByRole('button', { name: 'Edit: The whole beach' })).toBeVisible();
    await show(`/memories?dateId=${fair.id}&view=list&sort=story-asc`, ada);
    await expect.element(page.getByRole('heading', { name: 'June 2019' })).toBeVisible();
    await press(page.getByRole('button', { name: 'Edit: The whole beach' }), 'Enter');
    await dialog.getByRole('button', { name: /Use the Photograph.s Own Time/ }).click();
    await expect.element(dialog.getByLabelText('Taken')).toHaveValue('');
    await dialog.getByRole('button', { name: 'Save Changes' }).click();
    await expect.element(page.getByRole('heading', { name: 'June 2019' })).not.toBeInTheDocument();
  });

  it('keeps the buttons of its dialog in sight, and no message covers them', {
    tags: ['screens.forms.12'],
  }, async () => {
    const { ada } = await beginWith();
    await page.viewport(360, 740);
    await show('/memories', ada);
    await page.getByRole('button', { name: 'Edit: The hole beach' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit Memory' });
    const own = dialog.getByRole('button', { name: /Use the Photograph.s Own Time/ });
    await expect.poll(() => isUncovered(own.element())).toBe(true);
    await dialog.getByLabelText('Caption').fill('a whole beach '.repeat(35));
    const save = dialog.getByRole('button', { name: 'Save Changes' });
    await expect.poll(() => isUncovered(save.element())).toBe(true);
    await dialog.getByLabelText('Taken').fill('2019-06-01T12:00');
    await expect.poll(() => isUncovered(save.element())).toBe(true);
    for (const width of [360, 768]) {
      await page.viewport(width, 740);
      // A reload.
      await show('/memories', ada);
      await page.getByRole('button', { name: 'Edit: The hole beach' }).click();
      await expect.element(page.getByText('We restored what you had written.')).toBeVisible();
      await expect.poll(() => isUncovered(save.element())).toBe(true);
    }
  });

  it('is corrected in the slideshow, which stands still meanwhile', { tags: ['memories.edit.6'] }, async () => {
    const { ada, ben, one } = await beginWith();
    await page.viewport(1280, 800);
    await show('/memories?sort=date-asc', ada);
    await page.getByRole('button', { name: 'View: The hole beach' }).click();
    const slides = page.getByRole('dialog', { name: 'Slideshow' });
    await expect.element(slides.getByText('1 / 2')).toBeVisible();
    await slides.getByRole('button', { name: 'Edit', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit Memory' });
    const caption = dialog.getByLabelText('Caption');
    await caption.fill('The whole ');
    await press(caption, 'End');
    await userEvent.keyboard('beach now');
    await userEvent.keyboard('{ArrowLeft}');
    await expect.element(caption).toHaveValue('The whole beach now');
    await expect.element(slides.getByText('1 / 2')).toBeVisible();
    await ben.call('PUT /api/Memories/{id}', { params: { id: one.id }, body: { caption: 'Our beach' } });
    await dialog.getByRole('button', { name: 'Save Changes' }).click();
    const theirs = dialog.getByRole('region', { name: 'Their version' });
    await expect.element(theirs.getByText('Our beach')).toBeVisible();
    await theirs.getByRole('button', { name: 'Overwrite' }).click();
    await expect.element(dialog).not.toBeInTheDocument();
    await expect.element(slides.getByText('The whole beach now')).toBeVisible();
    await slides.getByRole('button', { name: 'Edit', exact: true }).click();
    await expect.element(caption).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await expect.element(dialog).not.toBeInTheDocument();
    await expect.element(slides).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await expect.element(slides).not.toBeInTheDocument();
  });

  it('holds a playing slideshow, takes its keys, and returns the focus', { tags: ['memories.edit.6'] }, async () => {
    const { ada } = await beginWith();
    await page.viewport(1280, 800);
    await setReducedMotion(false);
    await show('/memories?sort=date-asc', ada);
    await page.getByRole('button', { name: 'View: The hole beach' }).click();
    const slides = page.getByRole('dialog', { name: 'Slideshow' });
    const edit = slides.getByRole('button', { name: 'Edit', exact: true });
    await edit.click();
    const dialog = page.getByRole('dialog', { name: 'Edit Memory' });
    await expect.element(dialog.getByLabelText('Caption')).toBeVisible();
    const place = slides.getByText(/^[12] \/ 2$/).element().textContent;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await advance(9_000);
    (dialog.getByRole('button', { name: 'Cancel' }).element() as HTMLElement).focus();
    await userEvent.keyboard('{ArrowRight}{ArrowRight}{ArrowLeft}');
    await expect.element(slides.getByText(place ?? '', { exact: true })).toBeVisible();
    vi.useRealTimers();
    await userEvent.keyboard('{Escape}');
    await expect.element(dialog).not.toBeInTheDocument();
    await expect.element(slides).toBeVisible();
    await expect.element(edit).toHaveFocus();
    await userEvent.keyboard('{Escape}');
    await setReducedMotion(true);
  });

  it('keeps what was written while the server is out of reach', { tags: ['memories.edit.5'] }, async () => {
    const { ada } = await beginWith();
    await show('/memories', ada);
    await page.getByRole('button', { name: 'Edit: The hole beach' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit Memory' });
    await dialog.getByLabelText('Caption').fill('The whole beach');
    const repair = failCalls('PUT /api/Memories/*');
    await dialog.getByRole('button', { name: 'Save Changes' }).click();
    await expect.element(dialog.getByText('What you wrote is still here.')).toBeVisible();
    await expect.element(dialog.getByLabelText('Caption')).toHaveValue('The whole beach');
    repair();
    await dialog.getByRole('button', { name: 'Save Changes' }).click();
    await expect.element(page.getByRole('button', { name: 'Edit: The whole beach' })).toBeVisible();
  });
});
