import { AxeBuilder } from '@axe-core/playwright';
import { describe, expect, it } from 'vitest';
import { answerUploads, choose, chooseFor, countOf, photo, save, useAda } from './upload-page.ts';

/** The smaller sentences of the upload page, one by one (spec 2, 4, 5, 8, 9; contract 5). */
describe('the upload page', () => {
  const here = useAda();

  it('has its title, and a picker of many files of the allowed types, by keyboard too', async () => {
    const page = await here.open();
    await page.goto('/memories/upload');
    await page.getByRole('heading', { level: 1, name: 'Add Beautiful Memories' }).waitFor();
    const picker = page.getByLabel('Choose photos');
    expect(await picker.getAttribute('accept')).toBe('image/jpeg,image/jpg,image/png,image/gif,image/webp');
    expect(await picker.getAttribute('multiple')).not.toBeNull();
    // The dates are there: nothing is drawn anew under the focus.
    await page.getByText('We have not planned a date yet.').waitFor();
    const chooser = page.waitForEvent('filechooser');
    await picker.press('Enter');
    await (await chooser).setFiles([await photo('by-keyboard.jpg')]);
    await page.getByRole('heading', { name: '1 photo selected' }).waitFor();
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  });

  it('shows sizes as bytes, KB or MB with one decimal, and their sum', async () => {
    const page = await here.open();
    await page.goto('/memories/upload');
    const filled = (name: string, size: number) => ({ name, mimeType: 'image/jpeg', buffer: Buffer.alloc(size) });
    await choose(page, [filled('a.jpg', 512), filled('b.jpg', 1536), filled('c.jpg', 2_621_440)]);
    const card = (name: string) => page.getByRole('listitem').filter({ hasText: name });
    await card('a.jpg').getByText('512 bytes').waitFor();
    await card('b.jpg').getByText('1.5 KB').waitFor();
    await card('c.jpg').getByText('2.5 MB').waitFor();
    await page.getByText('2.5 MB · (97 remaining)').waitFor();
  });

  it('asks for a photograph and a date where one of them is missing', async () => {
    const page = await here.open();
    await page.goto('/memories/upload');
    await page.getByText('Drag and drop').waitFor();
    expect(await save(page).isDisabled()).toBe(true);
    await page.locator('form').evaluate((form: HTMLFormElement) => form.requestSubmit());
    await page
      .getByRole('alert')
      .getByText('Please select at least one photo and choose which date these memories are from.')
      .waitFor();
  });

  it('trims captions, and leaves out those that are empty', async () => {
    const page = await here.open();
    const dateId = await here.newDate();
    const bodies: string[] = [];
    await page.route('**/api/Memories', async (route) => {
      bodies.push(route.request().postDataBuffer()?.toString('latin1') ?? '');
      await route.continue();
    });
    await chooseFor(page, dateId, [await photo('a.jpg', 1), await photo('b.jpg', 2)]);
    await page.getByPlaceholder('Add a caption for this memory...').first().fill('   ');
    await page.getByPlaceholder('Add a caption for this memory...').nth(1).fill('  Ours ');
    await save(page).click();
    await page.getByText('Memories Uploaded Successfully!').waitFor();
    expect(bodies.map((body) => body.includes('name="Caption"'))).toEqual([false, true]);
    const { body } = await here.ada.call('GET /api/Memories', { query: { plannedDateId: dateId, sort: 'date-asc' } });
    expect(body.map(({ caption }) => caption)).toEqual([null, 'Ours']);
  });

  it('leads on two seconds after the success', async () => {
    const page = await here.open();
    const dateId = await here.newDate();
    await page.clock.install();
    await chooseFor(page, dateId, [await photo('a.jpg')]);
    await save(page).click();
    await page.getByText('Memories Uploaded Successfully!').waitFor();
    await page.clock.runFor(1900);
    expect(new URL(page.url()).pathname).toBe(`/memories/upload/${dateId}`);
    await page.clock.runFor(200);
    await page.waitForURL(`**/memories?dateId=${dateId}`);
  });

  it('climbs to 90 percent and no further where the browser tells nothing of bytes', async () => {
    const page = await here.open();
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await answerUploads(page, async (route) => {
      await held;
      await route.continue();
    });
    const dateId = await here.newDate();
    await chooseFor(page, dateId, [await photo('a.jpg')]);
    await page.evaluate(() => Object.defineProperty(XMLHttpRequest.prototype, 'upload', { get: () => ({}) }));
    await save(page).click();
    await page.getByText('90% Complete').waitFor();
    await page.getByRole('progressbar', { name: 'Upload of a.jpg' }).waitFor();
    release();
    await page.getByText('Memories Uploaded Successfully!').waitFor();
  });

  it('tries again by itself what the server is too busy for, and nothing else that it refuses', async () => {
    const page = await here.open();
    const dateId = await here.newDate();
    const refuse = (status: number, message: string) => ({
      status,
      headers: { 'content-type': 'application/problem+json', ...(status === 503 ? { 'retry-after': '1' } : {}) },
      body: JSON.stringify({ status, message }),
    });
    const asked = await answerUploads(
      page,
      (route) => route.fulfill(refuse(503, 'Not now')),
      (route) => route.continue(),
      (route) => route.fulfill(refuse(507, 'Our disk is full. Nothing was saved; make room and try again.')),
    );
    await chooseFor(page, dateId, [await photo('a.jpg', 1), await photo('b.jpg', 2)]);
    await save(page).click();
    await page.getByText('Our album is busy. We try again in a moment.').waitFor();
    await page.getByText('Our disk is full.').waitFor();
    await page.getByText('Upload failed - click retry to try again').waitFor();
    expect(asked()).toBe(3);
    expect(await countOf(here.ada, dateId)).toBe(1);
  });
});
