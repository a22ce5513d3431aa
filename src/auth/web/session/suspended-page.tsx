import { LogOut } from 'lucide-react';
import { useState } from 'react';
import { EmptyState } from '../../../kit/web/feedback/empty-state.tsx';
import { Button } from '../../../kit/web/forms/button.tsx';
import { Page } from '../../../kit/web/layout/page.tsx';
import { SUSPENDED } from '../../suspended-text.ts';
import { signOutOfSuspended } from './sign-out-of-suspended.ts';

/** All that a member sees while the operator has suspended the space (running.suspended.7). */
export function SuspendedPage() {
  const [isLeaving, setLeaving] = useState(false);
  const leave = () => {
    setLeaving(true);
    void signOutOfSuspended();
  };
  return (
    <Page>
      <EmptyState
        level={1}
        title="Our Love Story"
        actions={
          <Button icon={<LogOut />} busy={isLeaving} onClick={leave}>
            Sign out
          </Button>
        }
      >
        {SUSPENDED}
      </EmptyState>
    </Page>
  );
}
