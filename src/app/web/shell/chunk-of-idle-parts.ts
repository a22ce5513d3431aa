/** The parts of every page that wait until it is idle, in one chunk: as several, each would need a request. */
export { FloatingHearts } from '../../../kit/web/album/floating-hearts.tsx';
export { PageNotices } from './page-notices.tsx';
export { SignedInNotices } from './signed-in-notices.tsx';
