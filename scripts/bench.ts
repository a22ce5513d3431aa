import type { Figure } from './bench/figure.ts';
import { benchFirstPage } from './bench/first-page.ts';
import { benchGallery } from './bench/gallery.ts';
import { benchLighthouse } from './bench/lighthouse.ts';
import { benchLists } from './bench/lists.ts';
import { benchLongLists } from './bench/long-lists.ts';
import { benchThumbnails } from './bench/thumbnails.ts';
import { benchUploads } from './bench/uploads.ts';

/**
 * `npm run bench [part …]`: performance as ratios against a floor measured in the same run, since one machine's
 * seconds say nothing about another's. It judges nothing; the goal stands beside each figure.
 */
const parts: Readonly<Record<string, () => Promise<readonly Figure[]>>> = {
  lists: benchLists,
  'long-lists': benchLongLists,
  uploads: benchUploads,
  gallery: benchGallery,
  thumbnails: benchThumbnails,
  'first-page': benchFirstPage,
  lighthouse: benchLighthouse,
};

const wanted = process.argv.slice(2);
for (const [name, run] of Object.entries(parts)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  for (const { what, figure, goal } of await run()) {
    process.stdout.write(`${what.padEnd(62)} ${figure.padStart(10)}   ${goal}\n`);
  }
}
