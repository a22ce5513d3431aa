import { useState } from 'react';
import { expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { Button } from '../forms/button.tsx';
import { useDialog } from './dialog.tsx';
import { NotifyProvider, useNotify } from './notices.tsx';
import { DialogActions, SheetDialog } from './sheet-dialog.tsx';

function Opener() {
  const [isOpen, setOpen] = useState(false);
  return (
    <NotifyProvider>
      <Button onClick={() => setOpen(true)}>Open</Button>
      {isOpen && <Opened onClose={() => setOpen(false)} />}
    </NotifyProvider>
  );
}

function Opened({ onClose }: { onClose: () => void }) {
  const dialog = useDialog();
  return (
    <SheetDialog ref={dialog} title="Our title" detail="What it means" onClose={onClose}>
      <DialogActions>
        <Notifier />
        <Button data-first onClick={() => dialog.current?.close()}>
          Keep
        </Button>
      </DialogActions>
    </SheetDialog>
  );
}

function Notifier() {
  const notify = useNotify();
  return <Button onClick={() => notify.status('Said inside')}>Say</Button>;
}

it('focuses its safe button, closes by Escape, and gives the focus back', async () => {
  const page = await render(<Opener />);
  const opener = page.getByRole('button', { name: 'Open' });
  await opener.click();
  const dialog = page.getByRole('dialog', { name: 'Our title' });
  await expect.element(dialog).toHaveAccessibleDescription('What it means');
  await expect.element(page.getByRole('button', { name: 'Keep' })).toHaveFocus();
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(opener).toHaveFocus();
});

it('shows notices inside, where they can be read, and goes on with them outside', async () => {
  const page = await render(<Opener />);
  await page.getByRole('button', { name: 'Open' }).click();
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Say' }).click();
  await expect.element(dialog.getByText('Said inside')).toBeVisible();
  await page.getByRole('button', { name: 'Keep' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(page.getByText('Said inside')).toBeVisible();
});
