import type { Manifest, ManifestChunk } from 'vite';
import type { PageAssets } from '../../src/app/web/rendering/document.tsx';

/** What every page loads, by its key in Vite's manifest: the entry, and React with the app. */
export const ENTRY = 'main.ts';
export const CLIENT = 'rendering/entry-client.tsx';
const FONT = 'newsreader-latin-400-normal.woff2';

/**
 * Finds the files that the document names in Vite's manifest.
 * @throws Error if the build lacks one of them
 */
export function findPageAssets(manifest: Manifest): PageAssets {
  const url = (file: string) => `/${file}`;
  const entry = chunkAt(manifest, ENTRY).file;
  const entryFiles = filesOf(manifest, [ENTRY]);
  const clientFiles = filesOf(manifest, [CLIENT]);
  const font = Object.keys(manifest).find((key) => key.endsWith(FONT)) ?? FONT;
  return {
    entry: url(entry),
    stylesheets: [url(chunkAt(manifest, 'style.css').file)],
    fonts: [url(chunkAt(manifest, font).file)],
    entryModules: [...entryFiles].filter((file) => file !== entry).map(url),
    clientModules: [...clientFiles].filter((file) => !entryFiles.has(file)).map(url),
  };
}

/**
 * The JavaScript files of these chunks and of their static imports, without dynamic imports.
 * @throws Error if the build lacks a chunk
 */
export function filesOf(manifest: Manifest, keys: readonly string[], files = new Set<string>()): Set<string> {
  for (const key of keys) {
    const chunk = chunkAt(manifest, key);
    if (files.has(chunk.file)) continue;
    if (chunk.file.endsWith('.js')) files.add(chunk.file);
    filesOf(manifest, chunk.imports ?? [], files);
  }
  return files;
}

function chunkAt(manifest: Manifest, key: string): ManifestChunk {
  const chunk = manifest[key];
  if (!chunk) throw new Error(`The build does not contain ${key}.`);
  return chunk;
}
