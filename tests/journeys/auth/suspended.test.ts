import { describe, expect, it } from 'vitest';
import { resumeCouple, suspendCouple } from '../../../src/auth/server/operator/suspension-store.ts';
import type { CoupleId } from '../../../src/base/ids.ts';
import { addIdea } from '../../support/factories.ts';
import { useCouple } from '../../support/use-app.ts';

describe('a suspended space', () => {
  const us = useCouple();

  it('shows its text and "Sign out" on open and opened pages, and works again once it is resumed', {
    tags: ['running.suspended.7', 'running.suspended.6'],
  }, async () => {
    const id = us.ada.user.couple.id as CoupleId;
    await addIdea(us.ada, { title: 'Between us' });
    const page = await us.open();
    await page.goto('/date-ideas');
    await page.getByText('Between us').waitFor();
    await us.app.db.write((tx) => suspendCouple(tx, id, Date.now()));

    // The stream of the open page ends, and the page asks why.
    const text = page.getByText('This space is suspended. Please ask the person who runs this server.');
    await text.waitFor();
    await expect.poll(() => page.getByText('Between us').count()).toBe(0);
    await expect.poll(() => page.getByRole('navigation').count()).toBe(0);
    await page.reload();
    await text.waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL('**/auth/login*');

    await page.getByLabel('Email').fill(us.ada.email);
    await page.getByLabel('Password', { exact: true }).fill(us.ada.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await text.waitFor();
    await us.app.db.write((tx) => resumeCouple(tx, id, Date.now()));
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('navigation').first().waitFor();
    const sessions = await us.app.db.read.selectFrom('sessions').select('id').where('coupleId', '=', id).execute();
    // Ben's, and the new one of Ada's: the one that was signed out is over.
    expect(sessions).toHaveLength(2);
  });
});
