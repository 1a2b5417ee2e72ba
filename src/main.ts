import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { entryUrl } from './built.ts';

// Compiled code is kept between starts, which saves about a third of a warm one. It works only for what is loaded after this
// line, so the program itself is loaded late.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/parley', import.meta.url)));
const { serve }: typeof import('./serve.ts') = await import(entryUrl('serve'));
try {
  process.loadEnvFile();
} catch {
  // No .env file: settings come from the environment alone.
}
await serve(process.env);
