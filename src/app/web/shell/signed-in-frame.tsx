import { useEffect, useState } from 'react';
import { hideEndedPage } from '../../../auth/web/session/hide-ended-page.ts';
import { useUser } from '../../../auth/web/session/use-session.ts';
import { useReachable } from '../../../base/web/net/use-reachable.ts';
import { recall, remember } from '../../../base/web/storage/device-store.ts';
import { keepLastUser } from '../../../base/web/storage/last-seen.ts';
import { useLiveChanges } from '../live/use-live-changes.ts';
import { AppNavigation } from './app-navigation.tsx';
import { IdleFloatingHearts, IdleSignedInNotices } from './idle-parts.tsx';

/** The frame around the screens of a signed-in user: navigation, live changes, connection status. */
export function SignedInFrame() {
  const user = useUser();
  const isReachable = useReachable();
  const [chosen, setChosen] = useState<boolean>();
  const still = chosen ?? recall('hearts') === 'still';
  useLiveChanges(isReachable);
  useEffect(hideEndedPage, []);
  useEffect(() => {
    if (isReachable) void keepLastUser(user);
  }, [user, isReachable]);
  const toggle = () => {
    remember('hearts', still ? null : 'still');
    setChosen(!still);
  };
  return (
    <>
      <IdleFloatingHearts paused={still} />
      <AppNavigation user={user} heartsStill={still} onHearts={toggle} />
      <IdleSignedInNotices user={user} />
    </>
  );
}
