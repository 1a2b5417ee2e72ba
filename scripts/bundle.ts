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

/**
 * What reads whole folders, for a setting of `@fastify/static` that is not used here. Every start would read it all the same.
 */
const withoutGlob: Plugin = {
  name: 'without-glob',
  resolveId: { filter: { id: /^glob$/ }, handler: () => ({ id: '\0without-glob' }) },
  load: { filter: { id: /^\0without-glob$/ }, handler: () => 'export const glob = undefined;' },
};

/**
 * Modules of Node, without what an import of them brings along: to name all exports of `node:http`, Node runs those that are made when
 * they are asked for, and reads a whole HTTP client for a `WebSocket` that nobody uses. What is not used falls away here. The
 * bundler's own first lines need `node:module`.
 */
const plainBuiltins: Plugin = {
  name: 'plain-builtins',
  resolveId: {
    filter: { id: /^node:(?!module$)/ },
    handler: (id, _importer, { kind }) => (kind === 'import-statement' ? { id: `\0${id}` } : undefined),
  },
  load: {
    filter: { id: /^\0node:/ },
    handler(id) {
      const name = id.slice(1);
      const names = Object.keys(process.getBuiltinModule(name)!).filter((key) => key !== 'default');
      return [
        `const all = process.getBuiltinModule('${name}');`,
        'export default all;',
        ...names.map((key) => `const _${key} = /* @__PURE__ */ (() => all.${key})();\nexport { _${key} as ${key} };`),
      ].join('\n');
    },
  },
};

/**
 * V8 keeps a source that has a single letter outside Latin-1 with two bytes for each of its characters, which takes every process ten
 * megabytes more. No source has such letters where an escape means something else: in a template of `String.raw`.
 */
const inAscii: Plugin = {
  name: 'in-ascii',
  // Before that, the printer would take escapes back.
  generateBundle(_options, made) {
    for (const part of Object.values(made)) {
      if (part.type === 'chunk') part.code = part.code.replace(/[\u0080-\uffff]/g, escaped);
    }
  },
};

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

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
    external,
    plugins: [keepPlaces(isAlone), withoutGlob, plainBuiltins, inAscii],
    logLevel: 'silent',
  });
  await made.write({
    dir: folder,
    format: 'esm',
    // Names as in the sources, since stack traces show them.
    keepNames: true,
    comments: { legal: true, annotation: false, jsdoc: false },
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
  });
  await made.close();
}
