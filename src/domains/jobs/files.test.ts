import assert from 'node:assert/strict';
import { readdir, rm, utimes } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../../../test/kit/app.ts';
import { formOf, stageOf } from '../../../test/kit/jobs/job-stage.ts';
import { until } from '../../../test/kit/until.ts';
import { startCampaigns } from '../campaigns/index.ts';
import { purgeJobFilesAnyAccount, startJobs } from './index.ts';

const dayMs = 86_400_000;

describe('Jobs with files', { timeout: 1_800_000 }, () => {
  let app: TestApp;
  let stage: ReturnType<typeof stageOf>;
  let jobs: ReturnType<typeof startJobs>;
  before(async () => {
    app = await startTestApp({ ROLES: 'api' });
    stage = stageOf(app);
    jobs = startJobs(app.deps);
  });
  after(async () => {
    await jobs.stop();
    await app.close();
  });

  const upload = async (url: string, file: string | Buffer, fields: Record<string, string> = {}, headers = {}) => {
    const form = formOf(file, fields);
    const answer = await app.app.inject({
      method: 'POST',
      url,
      payload: form.payload,
      headers: { authorization: `Token ${app.token}`, ...form.headers, ...headers },
    });
    return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
  };
  const imported = async (url: string, file: string | Buffer, fields: Record<string, string> = {}) => {
    const answer = await upload(url, file, fields);
    assert.equal(answer.status, 202, JSON.stringify(answer.body));
    return stage.ended(answer.body.id);
  };
  const countOf = async (url: string): Promise<number> => (await app.call('GET', url)).body.count;
  const filesIn = (folder: string) =>
    readdir(path.join(app.deps.config.dataDir, folder, app.accountId)).catch(() => [] as string[]);

  describe('POST /v2/contacts/upload/', () => {
    const url = '/v2/contacts/upload/';

    it('202 with the job; the contacts are there, in their list; refused lines are told by their number', async () => {
      const list = (await app.call('POST', '/v2/lists/', { name: 'Newcomers' })).body.uuid;
      const file = 'Mobile,First name,City\n+447700910001,Ana,London\nnobody,Bob,Leeds\n+447700910002,Cy,Bath\n';
      const answer = await upload(url, file, { list });
      assert.deepEqual([answer.status, answer.body.type], [202, 'contacts.import']);
      assert.match(String(answer.headers['location']), new RegExp(`/v3/jobs/${answer.body.id}/$`));
      const job = await stage.ended(answer.body.id);
      assert.deepEqual([job.status, job.progress], ['SUCCEEDED', { done: 3, total: 3 }]);
      assert.deepEqual(job.result, { created: 2, updated: 0, unchanged: 0, repeated: 0, failed: 1 });
      assert.deepEqual(job.errors, [{ line: 3, error: { phone_number: ['Enter a valid phone number.'] } }]);
      assert.deepEqual(await stage.results(job.id), [
        { line: 3, ok: false, error: { phone_number: ['Enter a valid phone number.'] } },
      ]);
      assert.equal(await countOf(`/v2/lists/${list}/contacts/`), 2);
      const again = await imported(url, file, { list });
      assert.deepEqual(again.result, { created: 0, updated: 0, unchanged: 2, repeated: 0, failed: 1 });
    });

    it('what was refused comes back whole, with the reason, and can be mended and uploaded again', async () => {
      const file =
        'Handy|City|Note\n+447700910021|Ulm|"a ""b"", c"\nnobody|Köln|=1+1\n|Bonn\n+447700910022|"Bad"x|y|extra\n0770|Jena|"two\nlines"\n';
      const job = await imported(url, file, { delimiter: '|', mapping: '{"Handy": "phone_number"}' });
      assert.deepEqual([job.result.created, job.result.failed], [1, 4]);
      const answer = await app.call('GET', `/v3/jobs/${job.id}/refused-rows/`);
      assert.match(String(answer.headers['content-type']), /^text\/csv/);
      assert.equal(
        answer.body,
        [
          'Handy,City,Note,refusal_reason',
          "nobody,Köln,'=1+1,phone_number: Enter a valid phone number.",
          ',Bonn,,phone_number: This field may not be blank.',
          `"'+447700910022|""Bad""x|y|extra",,,The quotes of this line cannot be made sense of.`,
          '0770,Jena,"two\nlines",phone_number: Enter a valid phone number.',
          '',
        ].join('\r\n'),
      );
      const mended = String(answer.body).replace('nobody', '+447700910023');
      const again = await imported(url, mended, { mapping: '{"Handy": "phone_number"}' });
      assert.deepEqual([again.result.created, again.result.failed], [1, 3]);
      const [contact] = (await app.call('GET', '/v2/contacts/?phone_number=447700910023')).body.results;
      assert.deepEqual(contact.attributes, { City: 'Köln', Note: '=1+1' });

      const other = await app.call('GET', `/v3/jobs/${job.id}/refused-rows/`, undefined, { token: app.otherToken });
      assert.equal(other.status, 404);
      const list = await app.call('POST', '/v3/jobs/', {
        type: 'contacts.import',
        input: { contacts: [{ phone_number: '+447700910024' }] },
      });
      const ended = await stage.ended(list.body.id);
      assert.equal((await app.call('GET', `/v3/jobs/${ended.id}/refused-rows/`)).status, 404, 'it had no file');
    });

    it('dry_run writes nothing; mapping and delimiter are heeded', async () => {
      const file = 'A;B\n+447700910011;Dora\n';
      const fields = { dry_run: 'true', mapping: '{"A": "phone_number", "B": "name"}', delimiter: ';' };
      const job = await imported(url, file, fields);
      assert.deepEqual(job.result, { created: 1, updated: 0, unchanged: 0, repeated: 0, failed: 0, dry_run: true });
      assert.equal(await countOf('/v2/contacts/?phone_number=447700910011'), 0);
    });

    it('400 with a sentence for a file that cannot be imported at all, however large', async () => {
      for (const rest of ['', 'Ana,London\n'.repeat(50_000)]) {
        const { status, body } = await upload(url, `name,city\nAna,London\n${rest}`);
        assert.equal(status, 400);
        assert.match(body.file[0], /^The first line must name the columns/);
      }
      const unmapped = await upload(url, 'phone_number\n+447700910041\n', { mapping: '{"Handy":"phone_number"}' });
      assert.deepEqual(unmapped.body, { file: ['The file has no column "Handy".'] });
      const unstorable = await upload(url, 'phone_number\n+447700910041\n', { mapping: '{"\\u0000":"phone_number"}' });
      assert.deepEqual([unstorable.status, Object.keys(unstorable.body)], [400, ['mapping']]);
    });

    it('FAILED with a sentence for a file that turns out to be none, and for one that is gone', async () => {
      const long = await imported(url, `phone_number\n${'+447700910051\n'.repeat(30_000)}${'x'.repeat(3_000_000)}`);
      assert.deepEqual([long.status, long.result.created], ['FAILED', 1]);
      assert.match(long.reason, /^The file has a line of more than a million characters/);
      await jobs.stop();
      const { id } = (await upload(url, 'phone_number\n+447700910052\n')).body;
      await rm(path.join(app.deps.config.dataDir, 'job-uploads', app.accountId, id));
      jobs = startJobs(app.deps);
      const gone = await stage.ended(id);
      assert.deepEqual([gone.status, gone.reason], ['FAILED', 'The uploaded file is not here.']);
    });

    it('400 that names the field: no file, a list that is not there, a mapping that is no object', async () => {
      const nothing = '01890000-0000-7000-8000-000000000000';
      const cases: [Record<string, string>, string][] = [
        [{ list: nothing }, 'list'],
        [{ list: 'x' }, 'list'],
        [{ mapping: '[]' }, 'mapping'],
        [{ mapping: '{"a":1}' }, 'mapping'],
        [{ mapping: 'x' }, 'mapping'],
        [{ delimiter: 'x' }, 'delimiter'],
        [{ dry_run: 'perhaps' }, 'dry_run'],
      ];
      const before = await filesIn('job-uploads');
      for (const [fields, field] of cases) {
        const answer = await upload(url, 'phone_number\n+447700910021\n', fields);
        assert.deepEqual([answer.status, Object.keys(answer.body)], [400, [field]], JSON.stringify(fields));
      }
      assert.deepEqual((await upload(url, '')).body, { file: ['The submitted file is empty.'] });
      assert.deepEqual(await filesIn('job-uploads'), before);
    });

    it('the same Idempotency-Key makes one job', async () => {
      const headers = { 'idempotency-key': 'one-upload' };
      const first = await upload(url, 'phone_number\n+447700910031\n', {}, headers);
      const again = await upload(url, 'phone_number\n+447700910031\n', {}, headers);
      assert.deepEqual([again.status, again.body], [202, first.body]);
    });

    it('goes on after the rows that are done, whoever did them', async () => {
      const rows = Array.from({ length: 12_000 }, (_, index) => `+44771${String(index).padStart(7, '0')},Row ${index}`);
      await jobs.stop();
      const { body } = await upload(url, `phone_number,name\n${rows.join('\n')}\n`);
      await app.deps.db
        .updateTable('jobs')
        .set({ status: 'RUNNING', claimed_by: 12_345, done: 5000, counts: JSON.stringify({ created: 5000 }) })
        .where('uuid', '=', body.id)
        .execute();
      jobs = startJobs(app.deps);
      const job = await stage.ended(body.id);
      assert.deepEqual(job.result, { created: 12_000, updated: 0, unchanged: 0, repeated: 0, failed: 0 });
      const { count } = await app.deps.db
        .selectFrom('contacts')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('name', 'like', 'Row %')
        .executeTakeFirstOrThrow();
      assert.equal(count, 7000);
    });
  });

  describe('contacts.import and contacts.export', () => {
    it('a list of contacts: bad ones in their places, attributes keep their types', async () => {
      const id = await stage.submit('contacts.import', {
        contacts: [
          { phone_number: '+447700920001', name: 'Eve\nTwo lines', attributes: { age: 7, vip: true, note: '=1+1' } },
          { phone_number: '+447700920002', time_zone: 'Mars/Olympus' },
          { phone_number: '+447700920003', name: '"Quoted", and so on' },
        ],
      });
      const job = await stage.ended(id);
      assert.deepEqual(job.result, { created: 2, updated: 0, unchanged: 0, repeated: 0, failed: 1 });
      assert.deepEqual([job.errors[0].index, Object.keys(job.errors[0].error)], [1, ['time_zone']]);
      const [eve] = (await app.call('GET', '/v2/contacts/?phone_number=447700920001')).body.results;
      assert.deepEqual([eve.name, eve.attributes], ['Eve Two lines', { age: 7, vip: true, note: '=1+1' }]);
    });

    it('400 for a list that is not there and for a contact that is none', async () => {
      const list = '01890000-0000-7000-8000-000000000000';
      const contacts = [{ phone_number: '+447700920009' }];
      const missing = await app.call('POST', '/v3/jobs/', { type: 'contacts.import', input: { contacts, list } });
      assert.deepEqual(missing.body, { input: { list: [`Invalid pk "${list}" - object does not exist.`] } });
      const wrong = await app.call('POST', '/v3/jobs/', { type: 'contacts.import', input: { contacts: [{}] } });
      assert.deepEqual(wrong.body, { input: { contacts: [{ phone_number: ['This field is required.'] }] } });
    });

    it('the export is a file that an import takes back unchanged', async () => {
      await imported('/v2/contacts/upload/', 'phone_number,name\n+447700930001,Fay\n+447700930002,"Gus, jr"\n');
      const id = await stage.submit('contacts.export', { name: 'F' });
      const some = await stage.ended(id);
      assert.deepEqual([some.status, some.result, some.progress], ['SUCCEEDED', { rows: 1 }, { done: 1, total: 1 }]);
      const all = await stage.ended(await stage.submit('contacts.export', {}));
      assert.equal(all.result.rows, await countOfTable());
      const file = await app.call('GET', `/v3/jobs/${all.id}/file/`);
      assert.equal(file.status, 200);
      assert.match(String(file.headers['content-type']), /^text\/csv/);
      assert.equal(file.headers['content-disposition'], 'attachment; filename="contacts.csv"');
      assert.match(file.body, /^phone_number,name,.*\r\n/);
      const back = await imported('/v2/contacts/upload/', file.body);
      assert.deepEqual(back.result, { created: 0, updated: 0, unchanged: all.result.rows, repeated: 0, failed: 0 });
      assert.equal((await app.call('GET', `/v3/jobs/${back.id}/file/`)).status, 404);
    });

    const countOfTable = async () =>
      (
        await app.deps.db
          .selectFrom('contacts')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow()
      ).count;
  });

  it('campaign_logs.export › a line for everybody the launch has come to; 400 for one that is not there', async () => {
    const { uuid: list } = (await app.call('POST', '/v2/lists/', { name: 'Audience' })).body;
    const phone_numbers = ['+447700960001', '+447700960002'];
    await app.call('POST', `/v2/lists/${list}/contacts/`, { phone_numbers });
    const campaign = { name: 'Offer', channel: 'SMS', sender: 'Parley', text: 'Hello', lists: [list] };
    const { uuid } = (await app.call('POST', '/v2/campaigns/', campaign)).body;
    const log = (await app.call('POST', `/v2/campaigns/${uuid}/launch/`, {})).body.uuid;
    const feeding = startCampaigns(app.deps);
    // The launch counts its audience as queued before it comes to anybody: wait for the messages themselves.
    await until(async () => (await countOf(`/v2/sms-records/?campaign_log=${log}`)) === 2);
    await feeding.stop();
    const job = await stage.ended(await stage.submit('campaign_logs.export', { campaign_log: log }));
    assert.deepEqual(job.result, { rows: 2 });
    const { body } = await app.call('GET', `/v3/jobs/${job.id}/file/`);
    for (const number of phone_numbers) assert.match(body, new RegExp(`^\\${number},`, 'm'));
    for (const [campaign_log, options] of [
      [job.id, {}],
      [log, { token: app.otherToken }],
    ] as const) {
      const submitted = { type: 'campaign_logs.export', input: { campaign_log } };
      const refused = await app.call('POST', '/v3/jobs/', submitted, options);
      assert.deepEqual([refused.status, Object.keys(refused.body.input)], [400, ['campaign_log']]);
    }
  });

  describe('POST /v2/opt-outs/upload/', () => {
    const url = '/v2/opt-outs/upload/';

    it('opts out the people of the file, as CSV says; refused lines are told by their number', async () => {
      const lines = [
        'Phone number;Channel;Text',
        '+447700940001;sms;"By\nletter"',
        '12;;',
        '+447700940002;;',
        '+447700940003;FAX;',
      ];
      const job = await imported(url, Buffer.from(`\ufeff${lines.join('\r\n')}\r\n`));
      assert.deepEqual([job.status, job.result], ['SUCCEEDED', { succeeded: 2, failed: 2 }]);
      assert.deepEqual(job.errors, [
        { line: 4, error: { phone_number: ['Enter a valid phone number.'] } },
        { line: 6, error: { channel: ['"FAX" is not a valid choice.'] } },
      ]);
      const [first] = (await app.call('GET', '/v2/opt-outs/?number=447700940001')).body.results;
      assert.deepEqual([first.channel, first.source, first.text], ['SMS', 'CSV', 'By\nletter']);
      const [second] = (await app.call('GET', '/v2/opt-outs/?number=447700940002')).body.results;
      assert.equal(second.channel, 'ALL');
    });

    it('reads numbers with the country of the account', async () => {
      const job = await imported(url, 'phone_number\n07700 940021\n0044 7700 940022\n01234\n+44 (0)7700 940021\n');
      assert.deepEqual(job.result, { succeeded: 3, failed: 1 });
      assert.deepEqual(job.errors, [{ line: 4, error: { phone_number: ['Enter a valid phone number.'] } }]);
      for (const number of ['447700940021', '447700940022']) {
        assert.equal(await countOf(`/v2/opt-out-events/?number=${number}`), 1);
      }
    });

    it('twice the same file changes nothing', async () => {
      const file = 'phone_number\n+447700940011\n+44 7700 940011\n';
      await imported(url, file);
      const again = await imported(url, file);
      assert.deepEqual(again.result, { succeeded: 2, failed: 0 });
      assert.equal(await countOf('/v2/opt-out-events/?number=447700940011'), 1);
    });

    it('400 with a sentence for a file without numbers', async () => {
      const sentence = 'The file has no column phone_number: its first line must name the columns.';
      const { status, body } = await upload(url, 'name\nAna\n');
      assert.deepEqual([status, body], [400, { file: [sentence] }]);
    });
  });

  it('files of jobs that have ended are removed after a week; the jobs stay', async () => {
    const { id } = await stage.ended(await stage.submit('contacts.export', {}));
    await jobs.stop();
    const waiting = (await upload('/v2/contacts/upload/', 'phone_number\n+447700950001\n')).body.id;
    const places = { 'job-uploads': await filesIn('job-uploads'), 'job-results': await filesIn('job-results') };
    const old = new Date(Date.now() - 8 * dayMs);
    await purgeJobFilesAnyAccount(app.deps);
    assert.deepEqual(await filesIn('job-uploads'), places['job-uploads']);
    for (const [folder, names] of Object.entries(places)) {
      for (const name of names) await utimes(path.join(app.deps.config.dataDir, folder, app.accountId, name), old, old);
    }
    await purgeJobFilesAnyAccount(app.deps);
    assert.deepEqual([await filesIn('job-uploads'), await filesIn('job-results')], [[waiting], []]);
    assert.equal((await app.call('GET', `/v3/jobs/${id}/file/`)).status, 404);
    assert.equal((await stage.job(id)).status, 'SUCCEEDED');
    jobs = startJobs(app.deps);
    assert.equal((await stage.ended(waiting)).status, 'SUCCEEDED');
  });
});
