// The real command, as a process of its own, against a real server.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../kit/database.ts';
import { killTree, type Parley, startParley } from '../../kit/program/parley-process.ts';
import { until } from '../../kit/until.ts';

const main = path.join(import.meta.dirname, '..', '..', '..', 'src', 'cli', 'main.ts');
const linuxOnly = { skip: process.platform === 'linux' ? false : 'finds processes in /proc', timeout: 1_800_000 };

/** What a stream has brought so far. */
function gathered(stream: Readable): () => string {
  let text = '';
  stream.setEncoding('utf8').on('data', (more: string) => {
    text += more;
  });
  return () => text;
}

interface Result {
  code: number | null;
  out: string;
  err: string;
}

describe('parley, the command', linuxOnly, () => {
  let directory: string;
  let database: TestDatabase;
  let parley: Parley;
  let env: Record<string, string>;
  const started: ChildProcess[] = [];

  before(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'parley-cli-'));
    database = await createTestDatabase();
    parley = startParley(path.join(directory, 'data'), {
      DATABASE_URL: database.url,
      BOOTSTRAP_TOKEN: 'a-token-for-the-command',
    });
    env = { PARLEY_URL: await parley.ready(), PARLEY_TOKEN: 'a-token-for-the-command' };
  });
  after(async () => {
    for (const child of started) child.kill('SIGKILL');
    await killTree(parley.pid, path.join(directory, 'data'));
    await database.drop();
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  });

  function start(args: string[], extra: Record<string, string> = {}): ChildProcess {
    const child = spawn(process.execPath, [main, ...args], {
      cwd: directory,
      env: { PATH: process.env['PATH'] ?? '', ...env, ...extra },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    started.push(child);
    return child;
  }
  async function run(args: string[], extra: Record<string, string> = {}): Promise<Result> {
    const child = start(args, extra);
    const code = new Promise<number | null>((resolve) => child.once('exit', resolve));
    const [out, err] = await Promise.all([text(child.stdout!), text(child.stderr!)]);
    return { code: await code, out, err };
  }
  const get = async (address: string) =>
    (await fetch(`${env['PARLEY_URL']}${address}`, { headers: { authorization: `Token ${env['PARLEY_TOKEN']}` } }))
      // biome-ignore lint/suspicious/noExplicitAny: a test looks into bodies of every shape
      .json() as Promise<any>;
  const inDirectory = (name: string) => path.join(directory, name);

  describe('numbers import', () => {
    const lines = (...rows: string[]) => rows.join('\r\n');

    it('takes a file as spreadsheets write it: a mark, CRLF, quotes, semicolons, other columns; twice changes nothing', async () => {
      const file = inDirectory('excel.csv');
      const rows = [
        'Zoë;MSISDN;Country;Capabilities',
        '"a;b";"+353 1 525 0101";ie;VOICE|SMS',
        ';00353 1 5250102;;',
        '',
      ];
      await writeFile(file, `\ufeff${lines(...rows)}`);
      const dry = await run(['numbers', 'import', file, '--dry-run', '--json']);
      assert.deepEqual([dry.code, JSON.parse(dry.out).added], [0, 2], dry.err);
      assert.equal((await get('/v2/number/search/?contains=15250101')).count, 0);
      const first = await run(['numbers', 'import', file]);
      assert.deepEqual([first.code, first.err], [0, ''], first.err);
      assert.match(first.out, /^2 rows: 2 added, 0 updated, 0 unchanged, 0 bad \(/);
      assert.deepEqual((await get('/v2/number/search/?contains=15250101')).results[0].capabilities, ['VOICE', 'SMS']);
      const second = await run(['numbers', 'import', file, '--json']);
      const { seconds, ...counts } = JSON.parse(second.out);
      assert.deepEqual(counts, {
        file,
        dry_run: false,
        rows: 2,
        added: 0,
        updated: 0,
        unchanged: 2,
        bad: 0,
        errors: [],
      });
    });

    it('takes Latin-1 and UTF-16', async () => {
      const of = (number: string) => `number,city\n${number},Málaga\n`;
      await writeFile(inDirectory('latin.csv'), Buffer.from(of('+35315250111'), 'latin1'));
      await writeFile(inDirectory('wide.csv'), Buffer.from(`\ufeff${of('+35315250112')}`, 'utf16le'));
      for (const name of ['latin.csv', 'wide.csv']) {
        const { code, out, err } = await run(['numbers', 'import', inDirectory(name), '--json']);
        assert.deepEqual([code, JSON.parse(out).added], [0, 1], err);
      }
    });

    it('reports bad rows by line and stores the good ones; exit code 1', async () => {
      const file = inDirectory('bad.csv');
      const bad = inDirectory('errors.csv');
      await writeFile(
        file,
        'did,country,capabilities\n+35315250121,IE,\nhome,,\n+35315250122,GB,\n+3531525\x000123,IE,\n+35315250124,IE,FAX\n' +
          '4.42E+11,,\n,IE,\n"+35315250125,IE,\n+35315250126,IE,SMS\n',
      );
      const { code, out, err } = await run(['numbers', 'import', file, '--errors', bad]);
      assert.equal(code, 1);
      assert.match(out, /^9 rows: 2 added, 0 updated, 0 unchanged, 7 bad/);
      for (const line of [
        /^line 3: home: Enter a valid phone number\.$/m,
        /^line 4: \+35315250122: country_code: \+353 is not the calling code of GB\.$/m,
        /^line 5: The line holds a NUL byte\.$/m,
        /^line 6: \+35315250124: capabilities: "FAX" is not a valid choice\.$/m,
        /^line 7: 4\.42E\+11: The spreadsheet has rounded/m,
        /^line 8: The number is missing\.$/m,
        /^line 9: A quote is opened and not closed\.$/m,
      ]) {
        assert.match(err, line);
      }
      const written = (await readFile(bad, 'utf8')).trimEnd().split('\r\n');
      assert.deepEqual([written.length, written[0]], [8, 'line,number,error']);
      assert.ok(written.includes('6,+35315250124,"capabilities: ""FAX"" is not a valid choice."'));
    });

    it('exit code 2 when nothing was done: no file, no number column, no rows, all bad', async () => {
      await writeFile(inDirectory('names.csv'), 'name,city\nAda,London\n');
      await writeFile(inDirectory('empty.csv'), '');
      await writeFile(inDirectory('header.csv'), 'number\n');
      await writeFile(inDirectory('all-bad.csv'), 'number\nx\ny\n');
      for (const [name, sentence] of [
        ['nowhere.csv', /cannot be read: there is no such file\.$/m],
        ['names.csv', /must name the columns, and one of them "number".* It has "name", "city"\.$/m],
        ['empty.csv', /^The file is empty\.$/m],
        ['header.csv', /^$/],
        ['all-bad.csv', /^line 2: x: Enter a valid phone number\.$/m],
      ] as const) {
        const { code, err } = await run(['numbers', 'import', inDirectory(name)]);
        assert.equal(code, 2, name);
        assert.match(err, sentence);
        assert.doesNotMatch(err, /\n\s+at /);
      }
    });

    it('12,000 rows, of whose errors the first hundred are told; and again, which changes nothing', async () => {
      const file = inDirectory('many.csv');
      const stream = createWriteStream(file);
      stream.write('number,country,capabilities,note\n');
      for (let row = 0; row < 12_000; row++) {
        stream.write(`${row % 100 === 99 ? 'bad' : ''}+1415${2_000_000 + row},US,VOICE|SMS,"row ${row}"\n`);
      }
      await new Promise((resolve) => stream.end(resolve));
      const first = await run(['numbers', 'import', file, '--json', '--errors', inDirectory('many-errors.csv')]);
      const { rows, added, bad, errors } = JSON.parse(first.out);
      assert.deepEqual([first.code, rows, added, bad], [1, 12_000, 11_880, 120], first.err);
      assert.deepEqual([errors.length, errors[0].line, errors[99].line], [100, 101, 10_001]);
      const second = JSON.parse((await run(['numbers', 'import', file, '--json'])).out);
      assert.deepEqual([second.added, second.updated, second.unchanged], [0, 0, 11_880]);
      const pool = (await get('/v2/number/pool/')).results as { country: string; carrier: string; numbers: number }[];
      assert.equal(pool.find(({ country, carrier }) => country === 'US' && carrier === 'external')?.numbers, 11_880);
    });
  });

  describe('send and tail', () => {
    it('tail shows the steps of a message that send sent, for people and for programs', async () => {
      const tails = [start(['tail', '--kind', 'message.']), start(['tail', '--kind', 'message.', '--json'])];
      const printed = tails.map((child) => gathered(child.stdout!));
      const said = tails.map((child) => gathered(child.stderr!));
      const readAll = (streams: (() => string)[]) => () => streams.map((text) => text());
      await until(readAll(said), (texts) => texts.every((text) => text.includes('Listening')));
      const command = ['send', '--from', '+447700900001', '--to', '+447700900123', '--template', 'welcome', '--json'];
      const sent = await run(command);
      assert.equal(sent.code, 0, sent.err);
      const { uuid } = JSON.parse(sent.out);
      const isRead = (line: string) => line.includes('message.read') && line.includes(uuid);
      await until(readAll(printed), (texts) => texts.every((text) => text.split('\n').some(isRead)));
      const mine = printed.map((text) =>
        text()
          .split('\n')
          .filter((line) => line.includes(uuid)),
      );
      const steps = ['message.queued', 'message.sent', 'message.delivered', 'message.read'];
      assert.deepEqual(
        mine[0]!.map((line) => line.split(/\s+/)[1]),
        steps,
      );
      assert.ok(!printed[0]!().includes('\u001b'), 'no colours where there is no terminal');
      const events = mine[1]!.map((line) => JSON.parse(line));
      assert.deepEqual(
        events.map(({ kind, subject }) => [kind, subject]),
        steps.map((kind) => [kind, uuid]),
      );
      const ends = tails.map((child) => new Promise((resolve) => child.once('exit', resolve)));
      for (const child of tails) child.kill('SIGINT');
      assert.deepEqual(await Promise.all(ends), [0, 0]);

      const since = await run(['tail', '--after', events[0].uuid, '--kind', 'message.', '--count', '1', '--json']);
      assert.deepEqual([since.code, JSON.parse(since.out)], [0, events[1]]);
    });

    it('send --sms sends an SMS', async () => {
      const sent = await run([
        'send',
        '--sms',
        '--from',
        '+447700900001',
        '--to',
        '+447700900123',
        'Hello',
        'there',
        '--json',
      ]);
      assert.equal(sent.code, 0, sent.err);
      assert.equal((await get(`/v2/send-sms/${JSON.parse(sent.out).uuid}/`)).text, 'Hello there');
    });

    it('a refusal is told in words, by field', async () => {
      const wrong = await run(['send', '--from', '+447700900001', '--to', 'mum', 'Hello']);
      assert.deepEqual([wrong.code, wrong.out], [1, '']);
      assert.match(wrong.err, /^to_chatapp_number: Enter a valid phone number\.$/m);
      const nothing = await run(['send', '--from', '+447700900001', '--to', '+447700900123']);
      assert.deepEqual([nothing.code, nothing.err], [2, 'Give a text, or a template with --template.\n']);
      const stranger = await run(['tail'], { PARLEY_TOKEN: 'nobody' });
      assert.deepEqual([stranger.code, stranger.err], [1, 'Invalid token. Check --token or PARLEY_TOKEN.\n']);
      const nobody = await run(['tokens', 'list'], { PARLEY_URL: 'http://127.0.0.1:9' });
      assert.equal(nobody.code, 2);
      assert.match(nobody.err, /^No Parley answers at .*--url\.\n$/);
      const usage = await run(['tokens', 'create']);
      assert.equal(usage.code, 2);
      assert.match(usage.err, /missing required argument 'name'/);
    });
  });

  it('tokens are created, listed, used and revoked', async () => {
    const made = await run(['tokens', 'create', 'CRM', '--scope', 'account:read', 'chatapp:read']);
    assert.equal(made.code, 0, made.err);
    const secret = made.out.trim();
    const [, uuid] = /Made (\S+)/.exec(made.err)!;
    const listed = await run(['tokens', 'list'], { PARLEY_TOKEN: secret });
    assert.match(listed.out, new RegExp(`^${uuid} {2}API {6}account:read,chatapp:read\\s+for ever\\s+CRM$`, 'm'));
    const asJson = JSON.parse((await run(['tokens', 'list', '--json', '--token', secret])).out);
    assert.equal(asJson.find((token: { uuid: string }) => token.uuid === uuid)?.kind, 'API');
    const signedIn = await fetch(`${env['PARLEY_URL']}/v2/auth/session/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: secret }),
    });
    assert.equal(signedIn.status, 200);
    const withSession = (await run(['tokens', 'list'], { PARLEY_TOKEN: secret })).out;
    assert.match(withSession, /^\S+ {2}SESSION {2}account:read,chatapp:read\s+until \S+Z\s+Session of CRM$/m);
    assert.equal((await run(['tokens', 'revoke', uuid!])).out, `Revoked ${uuid}.\n`);
    assert.match((await run(['tokens', 'list'], { PARLEY_TOKEN: secret })).err, /^Invalid token\./);
    assert.match((await run(['tokens', 'revoke', uuid!])).err, /^Not found\.$/m);
  });

  it('migrate prepares the embedded database, and again finds nothing to do', async () => {
    const own = { DATA_DIR: inDirectory('other'), PARLEY_URL: '', PARLEY_TOKEN: '' };
    const first = await run(['migrate'], own);
    assert.deepEqual([first.code, first.out], [0, 'The database is up to date.\n'], first.err);
    assert.match(first.err, /Migrating the database/);
    const second = await run(['migrate', '--json'], own);
    assert.deepEqual([second.code, JSON.parse(second.out)], [0, { migrated: true }], second.err);
    assert.doesNotMatch(second.err, /Migrating the database/);
  });

  it('serve is the server, on the database that migrate prepared', async () => {
    const child = start(['serve'], { DATA_DIR: inDirectory('other'), PORT: '0', LOG_LEVEL: 'warn' });
    const printed = gathered(child.stdout!);
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const api = /^ {2}API +(\S+)$/m;
    const address = api.exec(await until(printed, (text) => api.test(text)))![1];
    assert.equal((await fetch(`${address}/readyz`)).status, 200);
    child.kill('SIGTERM');
    assert.equal(await ended, 0);
  });
});
