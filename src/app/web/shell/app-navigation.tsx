import type { User } from '../../../auth/contract.ts';
import { useSignOut } from '../../../auth/web/session/use-sign-out.ts';
import { Button } from '../../../kit/web/forms/button.tsx';
import { NavBar } from '../../../kit/web/layout/nav-bar.tsx';
import { paths } from '../../../paths.ts';

/** The links of the navigation bar (screens.navigation.1). */
const LINKS = [
  { href: paths.home, label: 'Dashboard' },
  { href: paths.ideas, label: 'Date Ideas' },
  { href: paths.dates, label: 'Our Dates' },
  { href: paths.memories, label: 'Memories' },
  { href: paths.stats, label: 'Our Story' },
];

export interface AppNavigationProps {
  user: User;
  /** Whether the floating hearts are paused. */
  heartsStill: boolean;
  onHearts: () => void;
}

/** The navigation bar with its links, the user, and the sign-out button. */
export function AppNavigation({ user, heartsStill, onHearts }: AppNavigationProps) {
  return (
    <NavBar
      name={{ href: paths.home, label: 'Our Love Story' }}
      links={LINKS}
      search={{ href: paths.search, label: 'Search our story' }}
      settings={{ href: paths.settings, label: 'Settings' }}
      user={user.displayName}
      onSignOut={useSignOut()}
      more={
        <Button variant="text" aria-pressed={heartsStill} onClick={onHearts}>
          Pause hearts
        </Button>
      }
    />
  );
}
