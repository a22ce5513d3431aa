import { benchBackground } from './bench/background.ts';
import type { Figure } from './bench/figure.ts';
import { benchFirstPage } from './bench/first-page.ts';
import { benchGallery } from './bench/gallery.ts';
import { benchHistory } from './bench/history.ts';
import { benchLighthouse } from './bench/lighthouse.ts';
import { benchLists } from './bench/lists.ts';
import { benchLongLists } from './bench/long-lists.ts';
import { benchOffline } from './bench/offline.ts';
import { benchRequests } from './bench/requests.ts';
import { benchStart } from './bench/start.ts';
import { benchStreams } from './bench/streams.ts';
import { benchThumbnails } from './bench/thumbnails.ts';
import { benchUploads } from './bench/uploads.ts';

/**
 * `npm run bench [PART …]`: prints performance as ratios to a floor measured in the same run, because absolute times
 * can't be compared between machines. Each figure is printed next to its goal; missing a goal is not an error.
 */
const BENCHMARKS: Readonly<Record<string, () => Promise<readonly Figure[]>>> = {
  lists: benchLists,
  'long-lists': benchLongLists,
  uploads: benchUploads,
  gallery: benchGallery,
  history: benchHistory,
  thumbnails: benchThumbnails,
  requests: benchRequests,
  start: benchStart,
  streams: benchStreams,
  'first-page': benchFirstPage,
  offline: benchOffline,
  lighthouse: benchLighthouse,
  background: benchBackground,
};

const wanted = process.argv.slice(2);
for (const [name, measure] of Object.entries(BENCHMARKS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  for (const { what, figure, goal } of await measure()) {
    process.stdout.write(`${what.padEnd(62)} ${figure.padStart(10)}   ${goal}\n`);
  }
}
