import type { ReactNode } from 'react';
import { Button } from '../../base/web/ui/button.tsx';
import { Masthead } from '../../base/web/ui/masthead.tsx';
import { Folio, Page } from '../../base/web/ui/page.tsx';
import { AppearanceChoice } from './appearance-choice.tsx';
import { Devices } from './devices.tsx';
import { Leaving } from './leaving.tsx';
import { NamesForm } from './names-form.tsx';
import { Partner } from './partner.tsx';
import { Passkeys } from './passkeys.tsx';
import { PasswordForm } from './password-form.tsx';
import { useUser } from './session.ts';
import { Setting } from './setting.tsx';
import { TimeForm } from './time-form.tsx';
import { folioText } from './together.ts';
import { useSignOut } from './use-sign-out.ts';

/**
 * `/settings` (contract 2 and 5). What later slices have to set stands in `children`, as one `Setting` each: the app
 * puts it there.
 */
export default function SettingsPage({ children }: { children?: ReactNode }) {
  const user = useUser();
  return (
    <Page>
      <Masthead title="Settings" actions={<Button onClick={useSignOut()}>Sign out</Button>} />
      <Setting name="Our names" words="How we sign what we add">
        <NamesForm />
      </Setting>
      <Setting name="Our time" words="When it began, and whose midnight counts">
        <TimeForm />
      </Setting>
      <Setting name="Appearance" words="On this device">
        <AppearanceChoice />
      </Setting>
      <Setting name="Partner" words="Two people, equal in everything">
        <Partner />
      </Setting>
      <Setting name="Password" words="At least 10 characters. Your other devices are signed out.">
        <PasswordForm />
        <Passkeys />
      </Setting>
      <Setting name="Devices" words="Where you are signed in">
        <Devices />
      </Setting>
      {children}
      <Setting name="Leaving" words="Nothing of this happens by one press">
        <Leaving />
      </Setting>
      <Folio>{folioText(user)}</Folio>
    </Page>
  );
}
