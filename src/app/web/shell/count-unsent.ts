/* What signing out counts on this device: loaded together, when the page is idle. */
export { countUnsentShots } from '../../../uploads/web/queue/shots.ts';
