import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import app from '../../vite.config.ts';

/*
 * Shows every component in every state. Run `vite build --config tests/looks/vite.config.ts`, then `vite preview` with
 * the same config, and open /kit.html. It is built and not served by the dev server, so that the app's CSP, plugins and
 * CSS processing apply. KIT_PHOTOS may name a folder of photographs for the prints.
 */
const here = fileURLToPath(new URL('.', import.meta.url));

export default defineConfig({
  root: here,
  publicDir: process.env.KIT_PHOTOS ?? false,
  cacheDir: '../../node_modules/.cache/vite-looks',
  // Its document is its own.
  plugins: (app.plugins ?? []).filter((plugin) => !(plugin && 'name' in plugin && plugin.name === 'complete-document')),
  css: app.css ?? {},
  build: {
    outDir: process.env.KIT_OUT ?? '../../node_modules/.cache/looks',
    emptyOutDir: true,
    target: app.build?.target,
    assetsInlineLimit: 0,
    rolldownOptions: { input: `${here}kit.html` },
  },
  preview: {
    headers: { 'Content-Security-Policy': "default-src 'self'; style-src 'self'; img-src 'self' data: blob:" },
  },
});
