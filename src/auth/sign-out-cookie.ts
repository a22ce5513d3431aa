/** Set by a browser whose user signed out while the server was out of reach. The next sign-in ends the session before. */
export const SIGN_OUT_PENDING_COOKIE = 'leaving';
