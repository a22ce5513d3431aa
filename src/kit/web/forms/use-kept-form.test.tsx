import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { beforeEach, describe, expect, it } from 'vitest';
import { render } from 'vitest-browser-react';
import { hasGuard, releaseScreens } from '../../../base/web/navigation/guards.ts';
import { ApiError } from '../../../base/web/net/api-error.ts';
import { dropWords, findWords } from '../../../base/web/storage/words.ts';
import { Banner } from '../feedback/banner.tsx';
import { ConfirmProvider } from '../feedback/confirm.tsx';
import { NotifyProvider } from '../feedback/notices.tsx';
import { Button } from './button.tsx';
import { Form } from './form.tsx';
import { TextField } from './text-field.tsx';
import { useKeptForm } from './use-kept-form.ts';

const OWNER = 'ada';

interface TitleFormProps {
  readonly label: string;
  readonly send: (values: { title: string }) => Promise<unknown>;
  readonly onSuccess?: () => void;
}

function TitleForm({ label, send, onSuccess = () => undefined }: TitleFormProps) {
  const { form, formProps, failure, dismiss, isSending } = useKeptForm({
    owner: OWNER,
    isGuarded: true,
    defaultValues: { title: '' },
    faults: ({ title }: { title: string }) => (title === '' ? { title: 'Title is required' } : {}),
    send,
    onSuccess,
    explain: ({ status }) => (status === 412 ? null : 'It is not saved.'),
  });
  return (
    <Form {...formProps}>
      <Banner onDismiss={dismiss}>{failure}</Banner>
      <TextField label={label} error={form.formState.errors.title?.message} {...form.register('title')} />
      <Button type="submit" busy={isSending}>
        Save
      </Button>
    </Form>
  );
}

function Around({ children }: { children: ReactNode }) {
  return (
    <QueryClientProvider client={new QueryClient()}>
      <NotifyProvider>
        <ConfirmProvider>{children}</ConfirmProvider>
      </NotifyProvider>
    </QueryClientProvider>
  );
}

const show = (form: ReactNode) => render(form, { wrapper: Around });

const draftedTitle = async () =>
  (await findWords<{ values: { title: string } }>(OWNER, location.pathname))?.values.title ?? null;

beforeEach(async () => {
  releaseScreens();
  await dropWords(OWNER, location.pathname);
});

describe('a form', () => {
  it('is sent once, and drops its draft and its question when it is saved', {
    tags: ['screens.forms.1', 'screens.forms.3'],
  }, async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const sent: string[] = [];
    let saved = 0;
    const send = async ({ title }: { title: string }) => {
      sent.push(title);
      await promise;
    };
    const page = await show(<TitleForm label="Title" send={send} onSuccess={() => (saved += 1)} />);
    await page.getByLabelText('Title').fill('The roof');
    await expect.poll(draftedTitle).toBe('The roof');
    expect(hasGuard()).toBe(true);
    const save = page.getByRole('button', { name: 'Save' });
    await save.click();
    await save.click({ force: true });
    resolve();
    await expect.poll(() => saved).toBe(1);
    expect(sent).toEqual(['The roof']);
    expect(hasGuard()).toBe(false);
    await expect.poll(draftedTitle).toBeNull();
  });

  it('keeps what was typed when it can’t be saved, and sends it again', { tags: ['screens.forms.3'] }, async () => {
    let failures = 1;
    const send = async () => {
      if (failures-- > 0) throw new ApiError(503, 'The album is away.');
    };
    const page = await show(<TitleForm label="Title" send={send} />);
    await page.getByLabelText('Title').fill('The roof');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.element(page.getByRole('alert')).toHaveTextContent('It is not saved.');
    await expect.element(page.getByLabelText('Title')).toHaveValue('The roof');
    expect(hasGuard()).toBe(true);
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.element(page.getByText('It is not saved.')).not.toBeInTheDocument();
    await expect.poll(draftedTitle).toBeNull();
  });

  it('leaves the form alone that is open when its answer is late', {
    tags: ['screens.forms.1', 'screens.forms.3'],
  }, async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let saved = 0;
    const first = await show(<TitleForm label="First" send={() => promise} onSuccess={() => (saved += 1)} />);
    await first.getByLabelText('First').fill('Sent slowly');
    await first.getByRole('button', { name: 'Save' }).click();
    await first.unmount();
    await dropWords(OWNER, location.pathname);
    const second = await show(<TitleForm label="Second" send={async () => undefined} />);
    await second.getByLabelText('Second').fill('Typed meanwhile');
    await expect.poll(draftedTitle).toBe('Typed meanwhile');
    resolve();
    await promise;
    // What follows an answer has run once the next form is sent.
    await second.getByLabelText('Second').fill('Typed further');
    await expect.poll(draftedTitle).toBe('Typed further');
    expect(hasGuard()).toBe(true);
    expect(saved).toBe(0);
  });
});
