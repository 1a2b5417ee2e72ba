/**
 * Bundles the program into `.server/`, unless what is there was made from the very same sources: a start then reads one file
 * instead of 2,700. Runs before every start; with `--at-start` a failure is told of, and keeps nobody from starting.
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Plugin } from 'rolldown';
import { bundleOf, entries, sourcesStamp, stampName } from '../src/built.ts';
import { buildIfStale } from './put-in-place.ts';

const root = path.join(import.meta.dirname, '..');
const { values: options } = parseArgs({ options: { 'at-start': { type: 'boolean' } }, strict: false });

/** These find files of their own beside them, or are loaded by few. */
const external = [/^node:/, 'pino', 'pino-pretty', '@scalar/fastify-api-reference', 'mpg123-decoder', 'vite'];

/** A source file that looks for others beside it finds them where they are: it looks from its own place, not the bundle's. */
const keepPlaces: Plugin = {
  name: 'keep-places',
  transform: {
    filter: { id: /[\\/]src[\\/].*\.ts$/, code: /import\.meta\.(url|dirname)/ },
    handler(code, id) {
      const place = path.relative(root, id).replaceAll(path.sep, '/');
      return code
        .replaceAll('import.meta.url', `new URL('../${place}', import.meta.url).href`)
        .replaceAll('import.meta.dirname', `(import.meta.dirname + '/../${path.posix.dirname(place)}')`);
    },
  },
};

await buildIfStale({
  name: 'the server',
  target: bundleOf(root),
  stampName,
  stamp: sourcesStamp(root),
  make,
  atStart: options['at-start'] === true,
});

async function make(folder: string): Promise<void> {
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    cwd: root,
    input: entries,
    platform: 'node',
    external,
    plugins: [keepPlaces],
    logLevel: 'silent',
  });
  await bundle.write({
    dir: folder,
    format: 'esm',
    // Names as in the sources, since stack traces show them.
    keepNames: true,
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
  });
  await bundle.close();
}
