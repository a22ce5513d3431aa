import type { ReactNode } from 'react';
import { pageVersion } from '../../../base/web/version.ts';
import { Button } from '../../../kit/web/forms/button.tsx';
import { Folio } from '../../../kit/web/layout/folio.tsx';
import { Masthead } from '../../../kit/web/layout/masthead.tsx';
import { Page } from '../../../kit/web/layout/page.tsx';
import { PASSWORD_LENGTH } from '../../rules.ts';
import { folioText } from '../couple/folio-text.ts';
import { LeaveOrDelete } from '../couple/leave-or-delete.tsx';
import { PartnerSettings } from '../couple/partner-settings.tsx';
import { EmailStatus } from '../mail/email-status.tsx';
import { OidcSettings } from '../oidc/oidc-settings.tsx';
import { PasskeySettings } from '../passkeys/passkey-settings.tsx';
import { useUser } from '../session/use-session.ts';
import { useSignOut } from '../session/use-sign-out.ts';
import { AppearanceChoice } from './appearance-choice.tsx';
import { Devices } from './devices.tsx';
import { FirstPassword } from './first-password.tsx';
import { FormatsChoice } from './formats-choice.tsx';
import { NameAndEmailForm } from './name-and-email-form.tsx';
import { PasswordForm } from './password-form.tsx';
import { Setting } from './setting.tsx';
import { StartAndZoneForm } from './start-and-zone-form.tsx';
import { useWaysToConfirm } from './use-ways-to-confirm.ts';

/** `/settings`. The app passes the settings of later slices as `children`, one `Setting` each. */
export default function SettingsPage({ children }: { children?: ReactNode }) {
  const user = useUser();
  const { hasPassword } = useWaysToConfirm();
  return (
    <Page>
      <Masthead title="Settings" actions={<Button onClick={useSignOut()}>Sign out</Button>} />
      <Setting name="Our names" subtitle="How we sign what we add">
        <NameAndEmailForm />
        <EmailStatus />
      </Setting>
      <Setting name="Our time" subtitle="When it began, and our time zone">
        <StartAndZoneForm />
      </Setting>
      <Setting name="Dates and times" subtitle="How you read them, on all your devices">
        <FormatsChoice />
      </Setting>
      <Setting name="Appearance" subtitle="On this device">
        <AppearanceChoice />
      </Setting>
      <Setting name="Partner" subtitle="Two people, equal in everything">
        <PartnerSettings />
      </Setting>
      <Setting
        name="Password"
        subtitle={`${PASSWORD_LENGTH} A change signs out your other devices, and ends your calendar link and invitations.`}
      >
        {hasPassword ? <PasswordForm /> : <FirstPassword />}
        <PasskeySettings />
        <OidcSettings />
      </Setting>
      <Setting name="Devices" subtitle="Where you are signed in">
        <Devices />
      </Setting>
      {children}
      <Setting name="Leaving" subtitle="Each step asks you to confirm it first">
        <LeaveOrDelete />
      </Setting>
      <Folio>
        {folioText(user)}
        <small>Our Love Story {pageVersion}</small>
      </Folio>
    </Page>
  );
}
