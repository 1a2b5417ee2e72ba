#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { entryUrl } from '../built.ts';

enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/parley', import.meta.url)));
try {
  process.loadEnvFile();
} catch {
  // No .env file: settings come from the environment alone.
}
const { run }: typeof import('./run.ts') = await import(entryUrl('cli'));
// Set, not called: what was printed may still be on its way, and a server goes on.
process.exitCode = await run(process.argv, process.env);
