import { useLocation } from 'wouter';
import { deviceZone } from '../../../base/web/device/device-zone.ts';
import { useNow } from '../../../base/web/device/now.ts';
import { Button } from '../../../kit/web/forms/button.tsx';
import { Actions } from '../../../kit/web/layout/actions.tsx';
import { paths } from '../../../paths.ts';
import type { User } from '../../contract.ts';
import { isRecoveryLinkUsable, recoveryLinkTime } from '../../recovery-link-time.ts';
import css from './unused-link-notice.module.css';
import { useAgreeToRecovery, useRecoveryLinks, useStopRecovery } from './use-recovery-links.ts';

/**
 * The notice of a link for a new password that the partner made for this user, on every screen as long as the link
 * stands: with it, the partner could read what this user keeps sealed. The page that stops it has the same button.
 */
export function PasswordLinkNotice({ user }: { user: User }) {
  const now = useNow();
  const [path] = useLocation();
  const { data: links = [] } = useRecoveryLinks();
  const agree = useAgreeToRecovery();
  const stop = useStopRecovery();
  const link = links.find((one) => one.for === user.id && Date.parse(one.expiresAt) > now);
  if (!link || user.partner === null || path.startsWith(paths.stopRecovery(''))) return null;
  const usableAt = Date.parse(link.usableAt);
  const works = isRecoveryLinkUsable(usableAt, now);
  const time = recoveryLinkTime(works ? Date.parse(link.expiresAt) : usableAt, deviceZone());
  return (
    <div className={css.notice} role="status">
      <p>
        <b>
          <bdi>{user.partner.displayName}</bdi> made a link for a new password for you.
        </b>{' '}
        {works ? `It works until ${time}.` : `It works from ${time}, or at once if you agree.`} The one who opens it can
        sign in as you. If you did not ask for it, stop it.
      </p>
      <Actions>
        {!works && (
          <Button busy={agree.isPending} onClick={() => agree.mutate()}>
            Agree
          </Button>
        )}
        <Button busy={stop.isPending} onClick={() => stop.mutate()}>
          Stop
        </Button>
      </Actions>
    </div>
  );
}
