import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

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
    handler: (html) => html.replace('<script type="module"', '<script type="module" blocking="render"'),
  },
};

/**
 * Few files, each loaded by whoever needs most of it: what every page has, what several areas share, and one file for each area.
 * Without this the bundler makes a file for every set of areas that share something, and a page loads dozens.
 */
const groups = [
  { name: 'icons', test: /@tabler/, priority: 40 },
  { name: 'vendor', test: /node_modules/, minShareCount: 2, priority: 30 },
  { name: 'api', test: /console\/src\/(api|live)\//, priority: 25 },
  {
    name: 'shared',
    test: /console\/src\/parts\/(?!bubble|flows|messages|writing|audio|fields|hours)/,
    minShareCount: 8,
    priority: 20,
  },
  { name: 'writing', test: /console\/src\/parts\/(bubble|flows|messages|writing)\//, minShareCount: 2, priority: 10 },
  { name: 'fields', test: /console\/src\/parts\/(audio|fields|hours)\//, minShareCount: 2, priority: 10 },
];

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
    chunkSizeWarningLimit: 700,
    reportCompressedSize: false,
    rolldownOptions: { output: { codeSplitting: { groups } } },
  },
  // Links are made for the host that was asked for.
  server: {
    proxy: Object.fromEntries(['/v2', '/v3', '/l'].map((path) => [path, { target: api, changeOrigin: false }])),
  },
}));
