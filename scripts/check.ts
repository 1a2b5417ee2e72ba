/**
 * Everything that is checked without running the product: types, style, that generated files are up to date, and that linters and
 * foreign generators take the OpenAPI document. Those are a package of their own, `scripts/openapi`; where it is not installed they are
 * left out, unless `REQUIRE_PEERS` asks for them.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';

const root = path.join(import.meta.dirname, '..');

const checks = {
  types: ['node_modules/typescript-native/bin/tsc', '--noEmit'],
  'console types': ['node_modules/typescript-native/bin/tsc', '--noEmit', '-p', 'console'],
  style: ['node_modules/@biomejs/biome/bin/biome', 'check'],
  generated: ['scripts/generate.ts', '--check'],
};

const tools = 'scripts/openapi';
const documentChecks = {
  spectral: [`${tools}/lint.mjs`, 'openapi.json'],
  redocly: [
    `${tools}/node_modules/@redocly/cli/bin/cli.js`,
    'lint',
    'openapi.json',
    '--config',
    `${tools}/redocly.yaml`,
  ],
  'client generators': [`${tools}/generate.mjs`, 'openapi.json'],
};
const hasTools = existsSync(path.join(root, tools, 'node_modules'));
if (!hasTools) console.log(`The OpenAPI document is not linted: run \`npm ci --prefix ${tools}\` first.`);
const isComplete = hasTools || process.env['REQUIRE_PEERS'] !== '1';

/** Redocly would report its use, and look for a newer version of itself. */
const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

/** Runs one check and reports it as soon as it ends; what it printed is shown only if it failed. */
async function run(name: string, [script, ...options]: string[]): Promise<boolean> {
  const startedMs = performance.now();
  const check = spawn(process.execPath, [path.join(root, script!), ...options], {
    cwd: root,
    env: { ...process.env, ...quiet },
  });
  const ended = new Promise<number | null>((resolve) => check.on('close', resolve));
  const [output, complaints, code] = await Promise.all([text(check.stdout), text(check.stderr), ended]);
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  console.log(`${name}: ${code === 0 ? 'ok' : 'FAILED'} (${seconds} s)`);
  if (code !== 0) console.log(`${output}${complaints}`.trimEnd());
  return code === 0;
}

const all = { ...checks, ...(hasTools && documentChecks) };
const results = await Promise.all(Object.entries(all).map(([name, command]) => run(name, command)));
process.exitCode = isComplete && results.every(Boolean) ? 0 : 1;
