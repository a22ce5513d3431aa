import { benchBackground } from './bench/background.ts';
import type { Figure } from './bench/figures-on-both-engines.ts';
import { benchFirstPage } from './bench/first-page.ts';
import { benchGallery } from './bench/gallery.ts';
import { benchRequests } from './bench/requests.ts';
import { benchStreams } from './bench/streams.ts';
import { benchUploads } from './bench/uploads.ts';

/**
 * `npm run bench [PART …]`: prints what this machine measures, each figure next to its goal. Where a ratio says more than a
 * time, its floor is measured in the same run. Missing a goal is not an error.
 */
const BENCHMARKS: Readonly<Record<string, () => Promise<readonly Figure[]>>> = {
  'first-page': benchFirstPage,
  uploads: benchUploads,
  requests: benchRequests,
  gallery: benchGallery,
  streams: benchStreams,
  background: benchBackground,
};

const wanted = process.argv.slice(2);
for (const [name, measure] of Object.entries(BENCHMARKS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  for (const { what, figure, goal } of await measure()) {
    process.stdout.write(`${what.padEnd(62)} ${figure.padStart(10)}   ${goal}\n`);
  }
}
