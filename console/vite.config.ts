import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { groups, moduleSideEffects } from './chunks.ts';

/** Where `npx vite console` finds the API while one works on the console. */
const api = process.env['PARLEY_URL'] ?? 'http://127.0.0.1:8080';

/** The server fills in the base and the nonce of each answer; Vite's own server has to do it itself. */
const fillIn: Plugin = {
  name: 'parley-fill-in',
  apply: 'serve',
  transformIndexHtml: { order: 'pre', handler: (html) => html.replaceAll('__BASE__', '/console/') },
};

/** Nothing is painted before the colour scheme is known; Vite drops the attribute from the page. */
const paintLater: Plugin = {
  name: 'parley-paint-later',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (html) => html.replaceAll('<script type="module"', '<script type="module" blocking="render"'),
  },
};

export default defineConfig(({ command }) => ({
  root: import.meta.dirname,
  // Relative addresses, so that the built files do not know under which path they are served.
  base: command === 'build' ? './' : '/console/',
  plugins: [react(), fillIn, paintLater],
  html: command === 'build' ? { cspNonce: '__NONCE__' } : {},
  build: {
    target: 'es2022',
    emptyOutDir: true,
    // A policy without data: for fonts and scripts wants files.
    assetsInlineLimit: 0,
    // With code of its own, the file of the entry would be one more to load.
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    reportCompressedSize: false,
    rolldownOptions: { treeshake: { moduleSideEffects }, output: { codeSplitting: { groups } } },
  },
  // Links are made for the host that was asked for.
  server: {
    proxy: Object.fromEntries(['/v2', '/v3', '/l'].map((path) => [path, { target: api, changeOrigin: false }])),
  },
}));
