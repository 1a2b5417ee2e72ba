import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import { findOffences } from './import-rules.ts';

const src = path.join(import.meta.dirname, '..', 'src');

/** The offences in a few files with these imports. */
function offences(files: Record<string, string>): string[] {
  return findOffences(new Map(Object.entries(files)));
}

const assertOffence = (files: Record<string, string>, expected: RegExp): void => {
  const found = offences(files);
  assert.equal(found.length, 1, `one offence expected, found: ${found.join('; ') || 'none'}`);
  assert.match(found[0]!, expected);
};

it('every import in src/ points down, goes through a front door and closes no circle', async () => {
  const names = (await readdir(src, { recursive: true })).filter((name) => /\.[jt]s$/.test(name));
  const read = async (name: string) =>
    [name.replaceAll(path.sep, '/'), await readFile(path.join(src, name), 'utf8')] as const;
  const files = new Map(await Promise.all(names.map(read)));
  assert.ok(files.has('main.ts') && files.size > 50, 'the files of the product were found');
  assert.deepEqual(findOffences(files), []);
});

describe('The import check', () => {
  const accounts = { 'domains/accounts/index.ts': '', 'domains/accounts/queries.ts': '' };
  const port = { 'carriers/ports/carriers.ts': '' };

  it('allows what the house allows', () => {
    const files = {
      ...accounts,
      ...port,
      'main.ts': "import { start } from './start.ts';\nawait import('./app.ts');\nprocess.env;",
      'start.ts': '',
      'app.ts': "import { x } from './domains/messages/index.ts';\nimport { y } from './carriers/sandbox/index.ts';",
      'deps.ts':
        "import type { Carriers } from './carriers/ports/carriers.ts';\nimport { z } from './platform/http/route.ts';",
      'domains/messages/index.ts': "export { send } from './send.ts';",
      'domains/messages/send.ts': `import {
  a,
  b,
} from '../accounts/index.ts';
import type { Carrier } from '../../carriers/ports/carriers.ts';
import type { Deps } from '../../deps.ts';
// import { old } from '../intros/gone.ts';
import pg from 'pg';`,
      'domains/messages/send.test.ts':
        "import { startTestApp } from '../../../test/kit/app.ts';\nimport { s } from './send.ts';",
      'carriers/sandbox/index.ts': "import { c } from '../ports/carriers.ts';\nimport { r } from './report.ts';",
      'carriers/sandbox/report.ts': "import { l } from '../../platform/loop.ts';",
      'platform/loop.ts': '',
      'platform/http/route.ts': "import { l } from '../loop.ts';",
    };
    assert.deepEqual(offences(files), []);
  });

  it('finds an arrow that runs up, also one of types alone', () => {
    const up = "import type { App } from '../../app.ts';";
    assertOffence({ 'app.ts': '', 'domains/accounts/index.ts': up }, /accounts\/index\.ts imports app\.ts: .*runs up/);
    assertOffence({ ...accounts, 'platform/log.ts': "import { a } from '../domains/accounts/index.ts';" }, /runs up/);
    assertOffence({ 'deps.ts': '', 'platform/log.ts': "import type { Deps } from '../deps.ts';" }, /runs up/);
    assertOffence({ ...port, 'platform/log.ts': "export { c } from '../carriers/ports/carriers.ts';" }, /runs up/);
    assertOffence({ 'deps.ts': '', 'carriers/sms/index.ts': "import type { D } from '../../deps.ts';" }, /runs up/);
    const lower = "export * from '../messages/index.ts';";
    assertOffence({ 'domains/messages/index.ts': '', 'domains/accounts/index.ts': lower }, /runs up/);
  });

  it('finds a side door', () => {
    const side = "import { q } from '../accounts/queries.ts';";
    assertOffence(
      { ...accounts, 'domains/messages/send.ts': side },
      /messages\/send\.ts imports .*queries\.ts: a side door/,
    );
    assertOffence({ ...accounts, 'start.ts': "import { q } from './domains/accounts/queries.ts';" }, /side door/);
    assertOffence({ 'carriers/smpp/pdu.ts': '', 'app.ts': "import { p } from './carriers/smpp/pdu.ts';" }, /side door/);
  });

  it('finds a neighbour on the same floor, and a carrier outside the top of the house', () => {
    const along = "import { t } from '../timeline/index.ts';";
    assertOffence({ 'domains/timeline/index.ts': '', 'domains/accounts/index.ts': along }, /same floor/);
    const carrier = { 'carriers/sandbox/index.ts': '' };
    assertOffence(
      { ...carrier, 'domains/sms/send.ts': "import('../../carriers/sandbox/index.ts')" },
      /carriers\/ports\//,
    );
    assertOffence({ ...carrier, 'carriers/sip/index.ts': "import '../sandbox/index.ts';" }, /carriers\/ports\//);
  });

  it('lets tests use a simulator by its door, and nobody else', () => {
    const use = "import { s } from '../../../simulators/smsc/index.ts';";
    assert.deepEqual(offences({ 'carriers/smpp/link.test.ts': use }), []);
    assertOffence({ 'carriers/smpp/link.ts': use }, /are there for tests/);
    const side = "import { s } from '../../../simulators/smsc/world.ts';";
    assertOffence({ 'carriers/smpp/link.test.ts': side }, /side door/);
  });

  it('finds a circle of values, and leaves a circle of types alone', () => {
    const back = { 'platform/b.ts': "import { c } from './c.ts';", 'platform/c.ts': "import { a } from './a.ts';" };
    const circle = /a\.ts → platform\/b\.ts → platform\/c\.ts → platform\/a\.ts/;
    assertOffence({ 'platform/a.ts': "import { b } from './b.ts';", ...back }, circle);
    assert.deepEqual(offences({ 'platform/a.ts': "import type { B } from './b.ts';", ...back }), []);
  });

  it('finds process.env, a file that is not there, an unknown folder, and test code in the product', () => {
    assertOffence(
      { 'platform/log.ts': 'const level = process.env.LOG_LEVEL;' },
      /platform\/log\.ts reads process\.env/,
    );
    assertOffence({ 'start.ts': 'const { env } = process;' }, /start\.ts reads process\.env/);
    assertOffence({ 'start.ts': "import { x } from '../scripts/x.ts';" }, /no such file/);
    assertOffence({ 'domains/billing/index.ts': '' }, /domains\/billing\/index\.ts has no place/);
    assertOffence({ 'start.ts': "import { t } from '../test/kit/app.ts';" }, /for tests/);
    assertOffence({ 'carriers/smpp/testing-carrier.ts': '' }, /is a test kit/);
  });
});
