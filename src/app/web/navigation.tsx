import type { User } from '../../auth/contract.ts';
import { signOut } from '../../auth/web/session.ts';
import { Button } from '../../base/web/ui/button.tsx';
import { NavBar } from '../../base/web/ui/nav-bar.tsx';
import { mayLeave } from '../../base/web/unsaved.ts';
import { paths } from '../../paths.ts';

/** Spec 2, Navigation bar. */
const LINKS = [
  { href: paths.home, label: 'Dashboard' },
  { href: paths.ideas, label: 'Date Ideas' },
  { href: paths.dates, label: 'Our Dates' },
  { href: paths.memories, label: 'Memories' },
  { href: paths.stats, label: 'Our Story' },
];

export interface NavigationProps {
  user: User;
  /** Whether the floating hearts have been told to rest: what moves can be paused (contract 5). */
  heartsStill: boolean;
  onHearts: () => void;
}

/** The bar of navigation, with what leaving means: unsaved work is asked about first. */
export function Navigation({ user, heartsStill, onHearts }: NavigationProps) {
  const leave = async () => {
    if (await mayLeave()) await signOut();
  };
  return (
    <NavBar
      name={{ href: paths.home, label: 'Our Love Story' }}
      links={LINKS}
      settings={{ href: paths.settings, label: 'Settings' }}
      user={user.displayName}
      onSignOut={() => void leave()}
      more={
        <Button variant="text" aria-pressed={heartsStill} onClick={onHearts}>
          Pause hearts
        </Button>
      }
    />
  );
}
