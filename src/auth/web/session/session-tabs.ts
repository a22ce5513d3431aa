/** Tabs share the cookie, so a sign-in (`in`) or a sign-out (`out`) in one tab applies to all. */
export const sessionTabs = new BroadcastChannel('session');
