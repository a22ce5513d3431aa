/** The message for a member of a suspended space (running.suspended.1). A file of its own, so that the first page is without it. */
export const SUSPENDED = 'This space is suspended. Please ask the person who runs this server.';
