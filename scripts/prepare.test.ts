import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, it } from 'node:test';

/** A checkout of the set-up step alone, with one dependency that comes from a folder, so that nothing is downloaded. */
let checkout: string;
beforeEach(async () => {
  checkout = await mkdtemp(path.join(os.tmpdir(), 'parley prepare '));
  await mkdir(path.join(checkout, 'tool'));
  for (const file of ['scripts/prepare.js', 'src/platform/postgres/link-libraries.js']) {
    await cp(new URL(`../${file}`, import.meta.url), path.join(checkout, file));
  }
  await writeJson('package.json', { name: 'checkout', type: 'module', devDependencies: { tool: 'file:tool' } });
  await writeJson('tool/package.json', { name: 'tool', version: '1.0.0' });
  await writeLockfile('1.0.0');
});
afterEach(() => rm(checkout, { recursive: true, force: true }));

const writeJson = (name: string, value: unknown) => writeFile(path.join(checkout, name), JSON.stringify(value));

const writeLockfile = (toolVersion: string) =>
  writeJson('package-lock.json', {
    name: 'checkout',
    lockfileVersion: 3,
    packages: {
      '': { name: 'checkout', devDependencies: { tool: 'file:tool' } },
      'node_modules/tool': { resolved: 'tool', link: true },
      tool: { version: toolVersion, dev: true },
    },
  });

/** Runs the step as npm would in production, where development tools are left out by default. */
async function prepare(...args: string[]) {
  const env = { ...process.env, NODE_ENV: 'production', npm_config_offline: 'true' };
  const child = spawn(process.execPath, [path.join(checkout, 'scripts', 'prepare.js'), ...args], {
    env,
    cwd: checkout,
  });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  // On a busy machine it takes long enough to report progress.
  return { stdout: stdout.replace(/^ {2}.*…\n/gm, ''), stderr, code };
}

const isInstalled = () =>
  stat(path.join(checkout, 'node_modules', 'tool')).then(
    () => true,
    () => false,
  );

describe('scripts/prepare.js', () => {
  it('installs once, and again only when the lockfile changed', async () => {
    const first = await prepare();
    assert.deepEqual([first.code, first.stdout], [0, 'Installing dependencies (first start only)…\n'], first.stderr);
    assert.ok(await isInstalled());
    assert.deepEqual(await prepare(), { code: 0, stdout: '', stderr: '' });
    await writeJson('tool/package.json', { name: 'tool', version: '1.0.1' });
    await writeLockfile('1.0.1');
    assert.equal((await prepare()).stdout, 'Updating dependencies…\n');
  });

  it('leaves tools out where a start needs none, and adds them in place when a command does', async () => {
    const first = await prepare('--without-tools');
    assert.deepEqual([first.code, first.stdout], [0, 'Installing dependencies (first start only)…\n'], first.stderr);
    assert.ok(!(await isInstalled()));
    assert.deepEqual(await prepare('--without-tools'), { code: 0, stdout: '', stderr: '' });
    // Stands for what a server that runs meanwhile has open.
    const inUse = path.join(checkout, 'node_modules', '.in-use');
    await writeFile(inUse, '');
    const second = await prepare();
    assert.deepEqual(
      [second.code, second.stdout],
      [0, 'Adding the tools for tests and checks (first time only)…\n'],
      second.stderr,
    );
    assert.ok(await isInstalled());
    await stat(inUse);
    for (const args of [[], ['--without-tools']])
      assert.deepEqual(await prepare(...args), { code: 0, stdout: '', stderr: '' });
    await writeLockfile('1.0.1');
    await writeJson('tool/package.json', { name: 'tool', version: '1.0.1' });
    assert.equal((await prepare('--without-tools')).stdout, 'Updating dependencies…\n');
    assert.ok(await isInstalled(), 'tools that are there stay');
  });

  it('lets one of two installs at the same moment wait for the other', async () => {
    const results = await Promise.all([prepare(), prepare()]);
    assert.deepEqual(
      results.map(({ code }) => code),
      [0, 0],
      results.map(({ stderr }) => stderr).join('\n'),
    );
    assert.equal(results.filter(({ stdout }) => stdout.includes('Installing')).length, 1);
    assert.ok(await isInstalled());
    assert.ok(!(await readdir(checkout)).includes('.installing'));
  });

  it('has everything built, and again only when a source changed or a build failed', async () => {
    await writeFile(
      path.join(checkout, 'scripts', 'build.ts'),
      `import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
      console.log('Building');
      for (const folder of ['.console', '.server']) {
        mkdirSync(folder, { recursive: true });
        writeFileSync(folder + '/built-from', '');
      }
      if (existsSync('src/broken.ts')) process.exitCode = 1;`,
    );
    const isAsked = async () => {
      const { code, stdout, stderr } = await prepare('--build');
      assert.equal(code, 0, stderr);
      return stdout.includes('Building');
    };
    assert.deepEqual([await isAsked(), await isAsked()], [true, false]);
    await writeFile(path.join(checkout, 'src', 'new.ts'), '');
    assert.deepEqual([await isAsked(), await isAsked()], [true, false]);
    await rm(path.join(checkout, '.console'), { recursive: true });
    assert.deepEqual([await isAsked(), await isAsked()], [true, false]);
    await writeFile(path.join(checkout, 'src', 'broken.ts'), '');
    assert.deepEqual([await isAsked(), await isAsked()], [true, true]);
  });

  it('takes the place of an install that was killed', async () => {
    await writeFile(path.join(checkout, '.installing'), '4194305');
    assert.equal((await prepare()).code, 0);
    assert.ok(await isInstalled());
  });

  it("shows npm's reason when the install fails, and tries again at the next start", async () => {
    await writeFile(path.join(checkout, 'package-lock.json'), '{}');
    const { code, stderr } = await prepare();
    assert.equal(code, 1);
    assert.match(
      stderr,
      /npm error[\s\S]*The dependencies could not be installed; the messages of npm above say why\.\n$/,
    );
    await writeLockfile('1.0.0');
    assert.equal((await prepare()).code, 0);
  });
});
