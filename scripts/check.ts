/** Everything that is checked without running the product: types, style, and that generated files are up to date. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { text } from 'node:stream/consumers';

const root = path.join(import.meta.dirname, '..');

const checks = {
  types: ['node_modules/typescript-native/bin/tsc', '--noEmit'],
  'console types': ['node_modules/typescript-native/bin/tsc', '--noEmit', '-p', 'console'],
  style: ['node_modules/@biomejs/biome/bin/biome', 'check'],
  generated: ['scripts/generate.ts', '--check'],
};

/** Runs one check and reports it as soon as it ends; what it printed is shown only if it failed. */
async function run(name: string, [script, ...options]: string[]): Promise<boolean> {
  const startedMs = performance.now();
  const check = spawn(process.execPath, [path.join(root, script!), ...options], { cwd: root });
  const ended = new Promise<number | null>((resolve) => check.on('close', resolve));
  const [output, complaints, code] = await Promise.all([text(check.stdout), text(check.stderr), ended]);
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  console.log(`${name}: ${code === 0 ? 'ok' : 'FAILED'} (${seconds} s)`);
  if (code !== 0) console.log(`${output}${complaints}`.trimEnd());
  return code === 0;
}

const results = await Promise.all(Object.entries(checks).map(([name, command]) => run(name, command)));
process.exitCode = results.every(Boolean) ? 0 : 1;
