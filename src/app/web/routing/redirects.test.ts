import { describe, expect, it } from 'vitest';
import { ownPath } from '../../../auth/own-path.ts';
import { redirectFor } from './redirects.ts';

/** Calls `redirectFor` with the parts of a URL. `known` says whether it has a screen. */
function redirect(signedIn: boolean, address: string, known = true): string | null {
  const { pathname, search, hash } = new URL(address, 'https://story.example');
  return redirectFor(signedIn, { pathname, search, hash }, known);
}

describe('a visitor', () => {
  it('is redirected to the sign-in page with a return URL', { tags: ['accounts.signin.6'] }, () => {
    expect(redirect(false, '/planned-dates/7?completed=true#notes')).toBe(
      '/login?returnUrl=%2Fplanned-dates%2F7%3Fcompleted%3Dtrue%23notes',
    );
  });
  it('takes nothing that another app has shared into the return URL', { tags: ['ideas.form.17'] }, () => {
    expect(redirect(false, '/date-ideas/add#title=Thai')).toBe('/login?returnUrl=%2Fdate-ideas%2Fadd');
  });
  it('is redirected there with the dashboard as the return URL from an empty or unknown path', {
    tags: ['accounts.signin.6'],
  }, () => {
    expect(redirect(false, '/', false)).toBe('/login?returnUrl=%2Fdashboard');
    expect(redirect(false, '/nowhere?x=1', false)).toBe('/login?returnUrl=%2Fdashboard');
  });
  it('is redirected from /login to /auth/login with the whole query', { tags: ['accounts.signin.6'] }, () => {
    expect(redirect(false, '/login?returnUrl=%2Fstats&from=mail', false)).toBe(
      '/auth/login?returnUrl=%2Fstats&from=mail',
    );
  });
  it('sees the sign-in pages, and the first of them at an unknown path below /auth', () => {
    expect(redirect(false, '/auth/join/abc')).toBeNull();
    expect(redirect(false, '/auth', false)).toBe('/auth/login');
    expect(redirect(false, '/auth/what', false)).toBe('/auth/login');
  });
});

describe('a signed-in user', () => {
  it('sees every screen, and the dashboard instead of an unknown path', { tags: ['accounts.signin.6'] }, () => {
    expect(redirect(true, '/memories?dateId=7')).toBeNull();
    expect(redirect(true, '/', false)).toBe('/dashboard');
    expect(redirect(true, '/dashboards', false)).toBe('/dashboard');
  });
  it('is redirected to the return URL of the sign-in page', () => {
    expect(redirect(true, '/auth/login?returnUrl=%2Fplanned-dates%2F7%3Fcompleted%3Dtrue')).toBe(
      '/planned-dates/7?completed=true',
    );
    expect(redirect(true, '/auth/login')).toBe('/dashboard');
  });
  it('sees the page on which the way back from an OpenID provider ends', { tags: ['openid.signin.3'] }, () => {
    expect(redirect(true, '/auth/oidc?returnUrl=%2Fstats')).toBeNull();
    expect(redirect(false, '/auth/oidc?problem=expired')).toBeNull();
  });
  it('sees the pages of links in mails', { tags: ['mail.screens.3'] }, () => {
    expect(redirect(true, '/auth/email/abc')).toBeNull();
    expect(redirect(true, '/auth/recovery/stop/abc')).toBeNull();
    expect(redirect(true, '/auth/forgot')).toBe('/dashboard');
  });
  it('is redirected to the dashboard after registering or joining, whatever the query says', () => {
    expect(redirect(true, '/auth/register?returnUrl=%2Fstats')).toBe('/dashboard');
    expect(redirect(true, '/auth/join/abc?returnUrl=%2Fstats')).toBe('/dashboard');
  });
});

describe('the return URL', () => {
  it.each([
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'https://evil.example/',
    'https:evil.example',
    'javascript:alert(1)',
    '/\t/evil.example',
    '/\n/evil.example',
    '/.//evil.example',
    'stats',
    '',
    '/login',
    '/auth/login?returnUrl=/stats',
  ])('does not follow %j', { tags: ['accounts.signin.5'] }, (returnUrl) => {
    expect(ownPath(returnUrl)).toBeNull();
    expect(redirect(true, `/auth/login?returnUrl=${encodeURIComponent(returnUrl)}`)).toBe('/dashboard');
  });
  it.each(['/stats', '/date-ideas?q=a%26b&sort=title#x', '/memories/upload/7?fromComplete=true'])(
    'follows %j',
    { tags: ['accounts.signin.5'] },
    (returnUrl) => {
      expect(ownPath(returnUrl)).toBe(returnUrl);
    },
  );
});
