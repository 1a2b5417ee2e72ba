/**
 * Records the answers of the test that tries every operation, as the examples of the OpenAPI document, and writes them to
 * `src/api-answers.json`. What differs from run to run, such as ids and times, is replaced by values that do not.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { steady } from './steady-values.ts';

const root = path.join(import.meta.dirname, '..');
const target = path.join(root, 'src', 'api-answers.json');
const directory = mkdtempSync(path.join(os.tmpdir(), 'parley-examples-'));
const file = path.join(directory, 'answers');

interface Recorded {
  operationId: string;
  status: number;
  body: unknown;
}

try {
  const { status } = spawnSync(process.execPath, ['scripts/test.ts', 'test/sweep/sweep.test.ts'], {
    cwd: root,
    env: { ...process.env, RECORD_EXAMPLES: file },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error('The test failed; nothing was written.');
  const answers: Record<string, Record<string, unknown>> = {};
  for (const line of readFileSync(file, 'utf8').trimEnd().split('\n')) {
    const { operationId, status, body } = JSON.parse(line) as Recorded;
    answers[operationId] ??= {};
    answers[operationId][status] ??= steady(body);
  }
  writeFileSync(target, `${JSON.stringify(answers, null, 1)}\n`);
  console.log(`${Object.keys(answers).length} operations have an example.`);
} finally {
  rmSync(directory, { recursive: true, force: true });
}
