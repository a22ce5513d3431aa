/**
 * The database of notes that are being written (contract 6, Two notes). It has the same lifetime as `UNSENT`: an expired
 * session keeps it, signing out deletes it.
 */
export const NOTE_DRAFTS = 'note-drafts';
