import type { ComponentType } from 'react';
import { paths } from '../../../paths.ts';

type Page = ComponentType;
type Module = { readonly default: Page };

/** A screen of the app: its path, its title, and its code, which loads on demand. */
export class ScreenRoute {
  readonly pattern: RegExp;
  /** Names the kind of page and nothing about the couple, because browsers keep titles in their history. */
  readonly title: string;
  /** The component, once its code is loaded. */
  page: Page | null = null;
  readonly #fetch: () => Promise<Module>;

  constructor(path: string, title: string, fetch: () => Promise<Module>) {
    const source = path.replace(/\/:(\w+)\?/g, '(?:/(?<$1>[^/]+))?').replace(/:(\w+)/g, '(?<$1>[^/]+)');
    this.pattern = new RegExp(`^${source}/?$`, 'i');
    this.title = title;
    this.#fetch = fetch;
  }

  /** Loads the code. After a failure, the next call tries again. */
  load(): Promise<Page> {
    const loading = this.#fetch().then(({ default: page }) => {
      this.page = page;
      return page;
    });
    // What shows the screen handles the failure. What prefetches it does not await the promise.
    loading.catch(() => undefined);
    return loading;
  }
}

const APP_NAME = 'Our Love Story';

/** All screens. The first whose path matches is shown, so a fixed path stands before one with a parameter. */
export const routes: readonly ScreenRoute[] = [
  new ScreenRoute(paths.signIn, 'Sign in', () => import('../../../auth/web/sign-in/sign-in-page.tsx')),
  new ScreenRoute(paths.register, 'Create our space', () => import('../../../auth/web/sign-in/register-page.tsx')),
  new ScreenRoute(paths.oidc, 'Sign in', () => import('../../../auth/web/oidc/oidc-page.tsx')),
  new ScreenRoute(paths.join(':code'), 'An invitation', () => import('../../../auth/web/couple/join-page.tsx')),
  new ScreenRoute(
    paths.recover(':code'),
    'A new password',
    () => import('../../../auth/web/recovery/recover-page.tsx'),
  ),
  new ScreenRoute(paths.forgot, 'Forgot your password?', () => import('../../../auth/web/mail/forgot-page.tsx')),
  new ScreenRoute(
    paths.confirmEmail(':code?'),
    'Confirm your email',
    () => import('../../../auth/web/mail/confirm-email-page.tsx'),
  ),
  new ScreenRoute(
    paths.stopRecovery(':code?'),
    'Stop a password link',
    () => import('../../../auth/web/mail/stop-recovery-page.tsx'),
  ),
  new ScreenRoute(paths.home, APP_NAME, () => import('../../../home/web/dashboard-page.tsx')),
  new ScreenRoute(paths.ideas, 'Date Ideas', () => import('../../../ideas/web/ideas-page.tsx')),
  new ScreenRoute(paths.addIdea, 'Add an idea', () => import('../../../ideas/web/add-idea-page.tsx')),
  new ScreenRoute(paths.editIdea(':id'), 'Edit an idea', () => import('../../../ideas/web/edit-idea-page.tsx')),
  new ScreenRoute(paths.planDate(':id'), 'Plan a date', () => import('../../../dates/web/plan-page.tsx')),
  new ScreenRoute(paths.dates, 'Our Dates', () => import('../screens/dates-screen.tsx')),
  new ScreenRoute(paths.pastDate, 'Add a past date', () => import('../../../dates/web/past/past-page.tsx')),
  new ScreenRoute(paths.date(':id'), 'A date of ours', () => import('../screens/date-screen.tsx')),
  new ScreenRoute(paths.dateNow(':id'), 'Our date, right now', () => import('../screens/date-mode-screen.tsx')),
  new ScreenRoute(paths.editDate(':id'), 'Edit a date', () => import('../../../dates/web/edit-date-page.tsx')),
  new ScreenRoute(
    paths.recordDate(':id'),
    'Correct what happened',
    () => import('../../../dates/web/past/record-page.tsx'),
  ),
  new ScreenRoute(
    paths.completeDate(':id'),
    'Complete a date',
    () => import('../../../dates/web/complete-date-page.tsx'),
  ),
  new ScreenRoute(paths.memories, 'Our Memories', () => import('../../../memories/web/memories-page.tsx')),
  new ScreenRoute(
    paths.uploadTo(':id?'),
    'Add Beautiful Memories',
    () => import('../../../uploads/web/upload-page.tsx'),
  ),
  new ScreenRoute(paths.search, 'Search', () => import('../screens/search-screen.tsx')),
  new ScreenRoute(paths.stats, 'Our Story', () => import('../../../stats/web/stats-page.tsx')),
  new ScreenRoute(paths.year(':year'), 'Our year', () => import('../../../stats/web/year/year-page.tsx')),
  new ScreenRoute(paths.print, 'Our album', () => import('../../../keeping/web/print/print-page.tsx')),
  new ScreenRoute(paths.settings, 'Settings', () => import('../screens/settings-screen.tsx')),
];

/** The screen at a path, or undefined where there is none. */
export function screenAt(pathname: string): ScreenRoute | undefined {
  return routes.find((screen) => screen.pattern.test(pathname));
}

/** The title of the browser tab. */
export function tabTitleOf(screen: ScreenRoute): string {
  return screen.title === APP_NAME ? APP_NAME : `${screen.title} · ${APP_NAME}`;
}
