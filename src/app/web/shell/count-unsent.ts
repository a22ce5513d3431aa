/* What signing out counts on this device: loaded together, when the page is idle. */
export { countNoteDrafts } from '../../../notes/web/note-drafts.ts';
export { countUnsentShots } from '../../../uploads/web/queue/shots.ts';
