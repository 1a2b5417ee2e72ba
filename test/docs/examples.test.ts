// Whatever we tell people to type works: the examples, the README's curl and the one that the server prints at its start.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { type Parley, startParley } from '../kit/program/parley-process.ts';

const root = path.join(import.meta.dirname, '..', '..');
const token = 'a-token-of-the-test';
const run = promisify(execFile);

/** What each example must show; one that is not named here fails. */
const telling: Record<string, RegExp[]> = {
  'call-tracking.sh': [
    /"call_tracking":"spring-flyer","first_time_caller":true/,
    /^call\.ended$/m,
    /^audio\/wav, \d+ bytes$/m,
  ],
  'campaign.sh': [/"text":"Hello Ana, the house is open/, /"audience":3,.*"delivered":2,.*"opted_out":1,/],
  'contacts.sh': [/"type":"CONTACTS","status":"QUEUED"/, /idempotent-replayed: true/],
  'create-intro.sh': [/"chat_link":"\.\.\/l\/\w{10}"/, /"AgentName":"Grace"/, /"count":1,/],
  'intro.sh': [
    /Thank you Ana\. Ada will write to you\./,
    /^ {3}The session is CONNECTED\.$/m,
    /^ {3}chat_intro\.connected$/m,
  ],
  'message.sh': [/"status":"QUEUED"/, /^QUEUED SENT DELIVERED READ *$/m, /"unaccounted":0/],
  'numbers.sh': [/"count":1000,/, /"number":"\+4420\d+"/, /"features":\["TTS","CALL_TRACKING"\]/, /^\+1\d+ 204$/m],
};

describe('what we tell people to type', () => {
  let parent: string;
  let parley: Parley;
  let url: string;

  before(async () => {
    parent = await mkdtemp(path.join(os.tmpdir(), 'parley examples '));
    parley = startParley(path.join(parent, 'data'), { BOOTSTRAP_TOKEN: token });
    url = await parley.ready();
  });

  after(async () => {
    parley.signal('SIGTERM');
    await parley.ended;
    await rm(parent, { recursive: true, force: true, maxRetries: 5 });
  });

  test('the curl printed at the start › sends a message and lists it', async () => {
    // A backslash continues a command on the next line.
    const [send, list] = parley.output().match(/^ {2}curl (?:.*\\\n)*.*$/gm) ?? [];
    assert.match(await shell(send!), /"status":"QUEUED"/);
    assert.match(await shell(list!), /"count":1,.*"template_name":"welcome"/);
  });

  for (const page of ['README.md', 'docs/sandbox.md']) {
    test(`${page} › every curl in it works as it stands`, async () => {
      const text = await readFile(path.join(root, page), 'utf8');
      const blocks = [...text.matchAll(/^```sh\n(curl .*?)^```$/gms)].map(([, commands]) => commands!);
      assert.ok(blocks.length > 0);
      for (const block of blocks) {
        const here = block.replaceAll('http://127.0.0.1:8080', url).replaceAll('my-first-token', token);
        const output = await shell(`set -e\n${here.replaceAll(/^curl /gm, 'curl --fail ')}`);
        assert.match(output, /^[[{]"/, block);
      }
    });
  }

  test('examples/ › every one is known to this test', async () => {
    assert.deepEqual((await readdir(path.join(root, 'examples'))).toSorted(), Object.keys(telling));
  });

  for (const [name, words] of Object.entries(telling)) {
    test(`examples/${name} › succeeds and shows what it promises`, async () => {
      const env = { ...process.env, PARLEY_URL: url, PARLEY_TOKEN: token };
      const { stdout } = await run('sh', [path.join('examples', name)], { cwd: root, env });
      for (const word of words) assert.match(stdout, word);
    });
  }
});

const shell = async (commands: string): Promise<string> => (await run('sh', ['-c', commands], { cwd: root })).stdout;
