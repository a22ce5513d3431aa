import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import app from '../../vite.config.ts';

/*
 * Shows every component in every state: `vite build --config tests/looks/vite.config.ts`, then `vite preview` with the
 * same, and open /kit.html. Built rather than served, so that the page's CSP holds as in the app, and with the app's
 * own plugins and stylesheets' treatment. KIT_PHOTOS may name a folder of photographs to be seen on the prints.
 */
const here = fileURLToPath(new URL('.', import.meta.url));

export default defineConfig({
  root: here,
  publicDir: process.env.KIT_PHOTOS ?? false,
  cacheDir: '../../node_modules/.cache/vite-looks',
  plugins: app.plugins ?? [],
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
