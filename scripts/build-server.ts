/**
 * Bundles the program into `.server/`, unless what is there was made from the very same sources: a start then reads one file
 * instead of 2,700. Runs before every start; with `--at-start` a failure is told of, and keeps nobody from starting.
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { bundleOf, entries, sourcesStamp, stampName } from '../src/built.ts';
import { bundle } from './bundle.ts';
import { buildIfStale } from './put-in-place.ts';

const root = path.join(import.meta.dirname, '..');
const { values: options } = parseArgs({ options: { 'at-start': { type: 'boolean' } }, strict: false });

await buildIfStale({
  name: 'the server',
  target: bundleOf(root),
  stampName,
  stamp: sourcesStamp(root),
  make: (folder) => bundle({ input: entries, folder }),
  atStart: options['at-start'] === true,
});
