/** The parts of every page that wait until it is idle, in one chunk: as several, each would need a request. */
export { DeletionNotice } from '../../../auth/web/couple/deletion-notice.tsx';
export { FloatingHearts } from '../../../kit/web/album/floating-hearts.tsx';
export { Celebration } from '../../../stats/web/celebration.tsx';
export { ConnectionStatus } from './connection-status.tsx';
export { NewVersion } from './new-version.tsx';
