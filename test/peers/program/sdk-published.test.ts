// The SDK as people get it: packed, unpacked into another project, used from there by plain JavaScript and by its own README.
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { startTestApp, type TestApp } from '../../kit/app.ts';
import { until } from '../../kit/until.ts';

const root = path.join(import.meta.dirname, '../../..');
const modules = path.join(root, 'node_modules');
const run = promisify(execFile);

/** What each example of the README prints, by its heading; one that is not named here fails. */
const telling: Record<string, RegExp> = {
  'Send a message': /^[0-9a-f-]{36} QUEUED\n$/,
  'Send a template': /^$/,
  'Wait for its status': /^(DELIVERED|READ)\n$/,
  'Create a chat intro and print its link': /^http:\/\/127\.0\.0\.1:\d+\/l\/\w{10}\n$/,
  'Iterate over a list': /^3 messages went out\.\n(\S+Z \+44 7700 900123 [A-Z]+\n){3}0\n$/,
  'Send an SMS': /^GSM7 1\n$/,
  'Run a campaign': /^COMPLETED 2\n$/,
  'Hear of events': /^[0-9a-f-]{36} SENT\n/,
  'Handle errors': /^400 invalid \[ '.+' \]\nto: .+ \(request \S+\)\n$/,
  'Do it once': /^true\n$/,
  'Change what nobody else changed meanwhile': /^$/,
};

describe('@parley/sdk, packed and installed', { timeout: 1_800_000 }, () => {
  let directory: string;
  let project: string;
  let app: TestApp;
  let url: string;
  const examples = new Map<string, string>();
  let receiving: ChildProcess | undefined;

  before(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'parley sdk '));
    project = path.join(directory, 'project');
    await mkdir(project);
    const starting = startTestApp({ WEBHOOK_ALLOW_PRIVATE: 'true' });
    await install(await pack(directory), project);
    app = await starting;
    url = await app.app.listen({ host: '127.0.0.1', port: 0 });
    for (const [heading, code] of await readExamples()) examples.set(heading, code);
  });
  after(async () => {
    receiving?.kill();
    await app?.close();
    await rm(directory, { recursive: true, force: true });
  });

  it('sends a message from a plain module', async () => {
    await writeFile(
      path.join(project, 'plain.mjs'),
      `import { createParley, ParleyError, paginate, verifyWebhook } from '@parley/sdk';
      const parley = createParley({ baseUrl: '${url}', token: '${app.otherToken}' });
      const message = await parley.createMessage({
        chatapp_number: '+44 7700 900001', to_chatapp_number: '+44 7700 900123',
        type: 'TEMPLATE', template: { template_name: 'welcome' },
      });
      console.log(message.status, typeof ParleyError, typeof paginate, typeof verifyWebhook);`,
    );
    const { stdout } = await run(process.execPath, ['plain.mjs'], { cwd: project });
    assert.equal(stdout, 'QUEUED function function function\n');
  });

  it('carries its code and types, and nothing else', async () => {
    const installed = path.join(project, 'node_modules/@parley/sdk');
    const { stdout } = await run('find', ['.', '-type', 'f'], { cwd: installed });
    const others = stdout.split('\n').filter((name) => name && !/^\.\/dist\/[a-z]+(\.d\.ts|\.js)$/.test(name));
    assert.deepEqual(others.toSorted(), ['./README.md', './package.json']);
    const code = await Promise.all(
      stdout.match(/.*\.js$/gm)!.map((name) => readFile(path.join(installed, name), 'utf8')),
    );
    assert.ok(code.length > 5);
    assert.doesNotMatch(
      code.join('\n'),
      /from ['"]node:|\bprocess\.|\bBuffer\b|\brequire\(/,
      'it needs nothing of Node',
    );
  });

  it('has a README whose examples compile, strictly', async () => {
    assert.deepEqual([...examples.keys()], Object.keys(telling));
    const here = (code: string) =>
      code.replaceAll('http://127.0.0.1:8080', url).replaceAll('my-first-token', app.token);
    for (const [heading, code] of examples) await writeFile(path.join(project, `${slug(heading)}.ts`), here(code));
    const compilerOptions = {
      target: 'es2022',
      module: 'nodenext',
      lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
      types: ['node'],
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      noPropertyAccessFromIndexSignature: true,
    };
    await writeFile(path.join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
    const { stdout } = await run(process.execPath, [path.join(modules, 'typescript-native/bin/tsc'), '-p', '.'], {
      cwd: project,
    }).catch((error) => error);
    assert.equal(stdout, '');
  });

  for (const [heading, words] of Object.entries(telling)) {
    if (heading === 'Hear of events') continue;
    it(`README › ${heading} › does what it says`, async () => {
      const { stdout } = await run(process.execPath, [`${slug(heading)}.js`], { cwd: project });
      assert.match(stdout, words);
    });
  }

  it('README › Hear of events › does what it says', async () => {
    const heading = 'Hear of events';
    const file = path.join(project, `${slug(heading)}.js`);
    // On a port that the system finds, so that tests can run side by side.
    const code = (await readFile(file, 'utf8')).replace(
      '.listen(3000)',
      '.listen(0, function () { console.error(this.address().port) })',
    );
    await writeFile(file, code);
    const webhook = await app.call('POST', '/v2/chatapp/webhooks/', { url: 'http://127.0.0.1:9/' });
    const env = { ...process.env, PARLEY_WEBHOOK_SECRET: webhook.body.secret };
    receiving = spawn(process.execPath, [file], { cwd: project, env });
    let [printed, port] = ['', ''];
    receiving.stdout!.setEncoding('utf8').on('data', (text) => {
      printed += text;
    });
    receiving.stderr!.setEncoding('utf8').on('data', (text) => {
      port += text;
    });
    await until(
      () => port,
      (text) => text.endsWith('\n'),
    );
    const address = `http://127.0.0.1:${Number(port)}/`;
    assert.equal((await fetch(address, { method: 'POST', body: '{}' })).status, 401);
    await app.call('PATCH', `/v2/chatapp/webhooks/${webhook.body.uuid}/`, { url: address });
    await run(process.execPath, [`${slug('Send a template')}.js`], { cwd: project });
    await until(
      () => printed,
      (text) => telling[heading]!.test(text),
    );
  });
});

/** Packs a copy of the SDK, so that nothing is written into the tree; its tools are those of the tree. */
async function pack(directory: string): Promise<string> {
  const sdk = path.join(directory, 'sdk');
  await cp(path.join(root, 'sdk'), sdk, {
    recursive: true,
    filter: (from) => !/[/\\](dist|node_modules)$/.test(path.relative(root, from)),
  });
  await symlink(modules, path.join(directory, 'node_modules'), 'junction');
  await run('npm', ['pack', '--offline', '--loglevel=error'], { cwd: sdk, shell: process.platform === 'win32' });
  const { version } = JSON.parse(await readFile(path.join(sdk, 'package.json'), 'utf8'));
  return path.join(sdk, `parley-sdk-${version}.tgz`);
}

/** What npm install does, without a registry: the tarball, and beside it the packages that it declares, and no others. */
async function install(tarball: string, project: string): Promise<void> {
  const target = path.join(project, 'node_modules/@parley/sdk');
  await mkdir(target, { recursive: true });
  await run('tar', ['-xzf', tarball, '-C', target, '--strip-components=1']);
  await writeFile(path.join(project, 'package.json'), '{"type":"module","private":true}');
  const wanted = [...(await dependenciesOf(target)), '@types/node'];
  // What they need in turn is appended while the list is walked.
  for (const name of wanted) {
    const from = path.join(modules, name);
    await cp(from, path.join(project, 'node_modules', name), { recursive: true });
    for (const one of await dependenciesOf(from)) if (!wanted.includes(one)) wanted.push(one);
  }
}

async function dependenciesOf(directory: string): Promise<string[]> {
  const { dependencies = {} } = JSON.parse(await readFile(path.join(directory, 'package.json'), 'utf8'));
  return Object.keys(dependencies);
}

/** The README's examples by heading, each with the lines that make the client before it. */
async function readExamples(): Promise<[heading: string, code: string][]> {
  const readme = await readFile(path.join(root, 'sdk/README.md'), 'utf8');
  const [, client] = /^```ts\n(.*?)^```$/ms.exec(readme)!;
  const found = readme.matchAll(/^### ([^\n]+)\n(?:(?!#)[^\n]*\n)*?```ts\n(.*?)^```$/gms);
  return [...found].map(([, heading, code]) => [heading!, `${client}\n${code}`]);
}

const slug = (heading: string): string => heading.toLowerCase().replaceAll(/\W+/g, '-');
