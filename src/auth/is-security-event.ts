/**
 * Whether a call and its status belong in the security log: every change to who has access, and every refused access
 * (ASVS 16.3). Calls that a page makes by itself when it loads don't.
 */
export function isSecurityEvent(name: string, status: number): boolean {
  const changes = /^(POST|PUT|DELETE) \/api\/(auth\/|couple\/deletion$)/.test(name) && name !== 'POST /api/auth/renew';
  // The way back from an OpenID provider signs in.
  return changes || name === 'GET /api/auth/oidc/callback' || status === 401 || status === 403 || status === 429;
}
