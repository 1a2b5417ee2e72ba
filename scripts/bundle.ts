/** The program in few files, by rolldown: for quick starts (`build-server.ts`), and for the package (`package.ts`). */
import path from 'node:path';
import type { Plugin } from 'rolldown';

const root = path.join(import.meta.dirname, '..');

/** These find files of their own beside them, or are loaded by few. */
export const external = ['pino', 'pino-pretty', '@scalar/fastify-api-reference', 'mpg123-decoder', 'vite'];

export interface BundleOptions {
  /** Names in the bundle, and their sources. */
  input: Record<string, string>;
  folder: string;
  /** Whether the sources will not be there: what they start by its file is JavaScript then. */
  isAlone?: boolean;
}

/** Programs and threads that are started by their file. */
const startedFile = /(new URL\('\.\/[\w/-]+)\.ts'/g;

/** A source file that looks for others beside it finds them where they are: it looks from its own place, not the bundle's. */
const keepPlaces = (isAlone: boolean): Plugin => ({
  name: 'keep-places',
  transform: {
    filter: { id: /[\\/]src[\\/].*\.ts$/, code: /import\.meta\.(url|dirname)/ },
    handler(code, id) {
      const place = path.relative(root, id).replaceAll(path.sep, '/');
      return (isAlone ? code.replaceAll(startedFile, "$1.js'") : code)
        .replaceAll('import.meta.url', `new URL('../${place}', import.meta.url).href`)
        .replaceAll('import.meta.dirname', `(import.meta.dirname + '/../${path.posix.dirname(place)}')`);
    },
  },
});

export async function bundle({ input, folder, isAlone = false }: BundleOptions): Promise<void> {
  const { rolldown } = await import('rolldown');
  const made = await rolldown({
    cwd: root,
    input,
    platform: 'node',
    external: [/^node:/, ...external],
    plugins: [keepPlaces(isAlone)],
    logLevel: 'silent',
  });
  await made.write({
    dir: folder,
    format: 'esm',
    // Names as in the sources, since stack traces show them.
    keepNames: true,
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
  });
  await made.close();
}
