import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { type ReadOptions, readRows } from '../../../platform/csv/read.ts';
import { csvText } from '../../../platform/csv/write.ts';
import {
  type ContactFilters,
  contactColumns,
  contactRows,
  ImportError,
  type ImportOptions,
  type ImportProgress,
  importContacts,
} from '../index.ts';

let app: TestApp;
before(async () => {
  app = await startTestApp({ ROLES: 'api' });
});
after(() => app.close());

const pieceSize = 64 * 1024;
const run = async (
  file: string | Buffer,
  { delimiter, ...options }: Partial<ImportOptions> & Pick<ReadOptions, 'delimiter'> = {},
) => {
  const bytes = Buffer.from(file as string);
  const source = async function* () {
    for (let at = 0; at < bytes.length; at += pieceSize) yield bytes.subarray(at, at + pieceSize);
  };
  const batches: ImportProgress[] = [];
  const totals = await importContacts(app.deps, {
    accountId: app.accountId,
    rows: readRows(source, { delimiter }),
    dryRun: false,
    rowsDone: 0,
    onBatch: async (_db, batch) => {
      batches.push(batch);
      return 'go';
    },
    ...options,
  });
  return { totals, batches, errors: batches.flatMap(({ errors }) => errors) };
};
const find = async (number: string) => {
  const { body } = await app.call('GET', `/v2/contacts/?phone_number=${encodeURIComponent(number)}`);
  const [{ uuid, created, modified, ...rest }] = body.results;
  return rest;
};
const fileOf = async (filters: ContactFilters): Promise<string> =>
  (await Array.fromAsync(csvText(contactColumns, contactRows(app.deps.db, app.accountId, filters)))).join('');
const newList = async (name: string): Promise<string> => (await app.call('POST', '/v2/lists/', { name })).body.uuid;
const countOf = async (list: string): Promise<number> =>
  (await app.call('GET', `/v2/lists/${list}/`)).body.contact_count;
const everything = async () => {
  const { db } = app.deps;
  const contacts = await db.selectFrom('contacts').selectAll().orderBy('digits').execute();
  const { events } = await db
    .selectFrom('events')
    .select((select) => select.fn.countAll().as('events'))
    .executeTakeFirstOrThrow();
  return { contacts, events, members: await db.selectFrom('list_members').selectAll().orderBy('contact').execute() };
};
/** Numbers +44770 09… of `count` people, a row each, from a first one on. */
const rows = (first: number, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `+44770${1_000_000 + first + at},Person ${first + at}`);
const file = (lines: string[]): string => ['phone_number,name', ...lines].join('\n');

describe('an import', () => {
  it('reads columns by their names, others as attributes, and puts everybody on the list', async () => {
    const list = await newList('Imported');
    const { totals } = await run(
      'Mobile,First Name,Last Name,Language,Time Zone,City,"Customer, id"\r\n' +
        '07700 900701,Ana,Lovelace,en-GB,Europe/London,London,17\r\n' +
        '+44 (7700) 900702,Carl,,de,,,"a ""b"",\r\nc"\r\n',
      { list },
    );
    assert.deepEqual(totals, { rowsDone: 2, created: 2, updated: 0, unchanged: 0, repeated: 0, errors: 0 });
    assert.deepEqual(await find('+447700900701'), {
      phone_number: '07700 900701',
      name: 'Ana Lovelace',
      language_code: 'en_GB',
      time_zone: 'Europe/London',
      attributes: { City: 'London', 'Customer, id': '17' },
      lists: [list],
    });
    const second = await find('447700900702');
    assert.deepEqual([second.name, second.attributes], ['Carl', { 'Customer, id': 'a "b",\nc' }]);
    assert.equal(await countOf(list), 2);
  });

  it('prefers the phone column by its name, and follows a mapping', async () => {
    await run('tel,mobile,name\n+447700900710,+447700900711,A');
    assert.deepEqual((await find('+447700900711')).attributes, { tel: '+447700900710' });
    await run('Handy,Wer,Alt,Stadt\n+447700900712,B,x,Ulm', {
      mapping: { Handy: 'phone_number', wer: 'name', Alt: '', Stadt: 'city' },
    });
    const { name, attributes } = await find('+447700900712');
    assert.deepEqual([name, attributes], ['B', { city: 'Ulm' }]);
  });

  const encodings: [name: string, bytes: Buffer][] = [
    ['UTF-8 with a byte order mark and CRLF', Buffer.from('\ufeffphone,name\r\n+447700900720,Zoë Ł\r\n')],
    ['Latin-1 with semicolons', Buffer.from('phone;name\n+447700900720;Zo\xeb Ł'.replace('Ł', 'L'), 'latin1')],
    ['UTF-16 with tabs', Buffer.from('\ufeffphone\tname\n+447700900720\tZoë Ł', 'utf16le')],
  ];
  for (const [name, bytes] of encodings) {
    it(`reads ${name}`, async () => {
      const { totals } = await run(bytes);
      assert.equal(totals.errors, 0);
      assert.match((await find('+447700900720')).name, /^Zoë [ŁL]$/);
    });
  }

  it('reports bad rows with their lines, and takes the others', async () => {
    const { totals, errors } = await run(
      [
        'phone,name,language,timezone,note',
        '+447700900730,"two',
        'lines"',
        'mum',
        ',nobody',
        '4.47701E+11',
        '+447700900731,x,English',
        '+447700900732,x,en,Mars/Olympus',
        `+447700900733,${'x'.repeat(256)}`,
        `+447700900734,x,,,${'x'.repeat(1001)}`,
        '+447700900735,a\0b',
        '+447700900736,"a"b',
        "'+447700900737,'=1+1",
        '012',
      ].join('\n'),
    );
    assert.deepEqual(errors, [
      { line: 4, error: 'phone_number: Enter a valid phone number.' },
      { line: 5, error: 'phone_number: This field may not be blank.' },
      {
        line: 6,
        error: 'phone_number: The spreadsheet has rounded this number; format its column as text and export it again.',
      },
      { line: 7, error: 'language_code: Enter a language code such as en_GB.' },
      { line: 8, error: 'time_zone: Enter a valid time zone.' },
      { line: 9, error: 'name: Ensure this field has no more than 255 characters.' },
      { line: 10, error: 'note: Ensure this field has no more than 1000 characters.' },
      { line: 11, error: 'The line holds a NUL byte.' },
      { line: 12, error: 'The quotes of this line cannot be made sense of.' },
      { line: 14, error: 'phone_number: Enter a valid phone number.' },
    ]);
    assert.deepEqual([totals.rowsDone, totals.created, totals.errors], [12, 2, 10]);
    const guarded = await find('+447700900737');
    assert.deepEqual([guarded.phone_number, guarded.name], ['+447700900737', '=1+1']);
  });

  for (const [name, text, sentence] of [
    ['nothing', '', /^The file is empty\.$/],
    ['blank lines', '\n \r\n', /^The file is empty\.$/],
    ['no phone column', 'name,city\nAna,London', /"phone_number".*It has "name", "city"\.$/],
    ['two columns of one name', 'phone,a,a\n1,2,3', /^The file has two columns "a"\.$/],
    ['a name that is too long', `phone,${'x'.repeat(65)}\n1,2`, /more than 64 characters\.$/],
    ['too many columns', `phone,${Array.from({ length: 51 }, (_, at) => `a${at}`)}\n1`, /has 51 columns of attributes/],
    ['a line without end', 'x'.repeat(1_200_000), /more than a million characters/],
  ] as const) {
    it(`refuses a file with ${name} as a whole`, async () => {
      await assert.rejects(run(text), (error: Error) => error instanceof ImportError && sentence.test(error.message));
    });
  }

  it('refuses a mapping of columns that are not there, and a list that is none', async () => {
    await assert.rejects(
      run('phone\n1', { mapping: { Handy: 'phone_number' } }),
      /^CsvError: The file has no column "Handy"\.$/,
    );
    await assert.rejects(run('phone\n1', { list: app.accountId }), /^CsvError: The list does not exist\.$/);
  });

  it('changes nothing the second time; what is empty erases nothing, and the last row of a number counts', async () => {
    const list = await newList('Twice');
    const text =
      'phone,name,city,zip\n+447700900740,Ana,London,\n07700900740,,Leeds,LS1\n0044 7700 900741,Bo,,\n+447700900740,,,\n';
    const first = await run(text, { list });
    assert.deepEqual(first.totals, { rowsDone: 4, created: 2, updated: 0, unchanged: 0, repeated: 2, errors: 0 });
    const ana = await find('+447700900740');
    assert.deepEqual([ana.name, ana.attributes], ['Ana', { city: 'Leeds', zip: 'LS1' }]);
    const before = await everything();
    const second = await run(text, { list });
    assert.deepEqual(second.totals, { rowsDone: 4, created: 0, updated: 0, unchanged: 2, repeated: 2, errors: 0 });
    assert.deepEqual(await everything(), before);
    assert.equal(await countOf(list), 2);
    const third = await run('phone,name,city\n+447700900740,,York\n+447700900741,Bo,\n', { list });
    assert.deepEqual([third.totals.updated, third.totals.unchanged], [1, 1]);
    assert.deepEqual((await find('+447700900740')).attributes, { city: 'York', zip: 'LS1' });
    assert.equal((await everything()).events, Number(before.events) + 1);
  });

  it('puts those on the list who were known, and those who had left', async () => {
    const list = await newList('Known');
    await run(file(rows(0, 3)));
    await run(file(rows(0, 2)), { list });
    assert.equal(await countOf(list), 2);
    await app.call('DELETE', `/v2/lists/${list}/contacts/`, { all: true });
    await run(file(rows(0, 3)), { list });
    await run(file(rows(0, 3)), { list });
    assert.equal(await countOf(list), 3);
  });

  it('takes a file in which no row is good, and one in which there is none', async () => {
    for (const dryRun of [false, true]) {
      const bad = { rowsDone: 2, created: 0, updated: 0, unchanged: 0, repeated: 0, errors: 2 };
      assert.deepEqual((await run(file(['x', 'y']), { dryRun })).totals, bad);
      assert.deepEqual((await run(file([]), { dryRun })).totals, { ...bad, rowsDone: 0, errors: 0 });
    }
  });

  it('writes nothing in a dry run, and says what it would do', async () => {
    const list = await newList('Dry');
    await run(file(['+447700900750,Ana']));
    const before = await everything();
    const { totals } = await run(file(['+447700900750,Bea', '+447700900751,Cy', 'x', '+447700900751,Cy']), {
      dryRun: true,
      list,
    });
    assert.deepEqual(totals, { rowsDone: 4, created: 1, updated: 1, unchanged: 0, repeated: 1, errors: 1 });
    assert.deepEqual(await everything(), before);
  });

  it('counts a number that comes again as repeated, however far below; its last row counts', async () => {
    const list = await newList('Repeated');
    const lines = [...rows(40_000, 3000), '+447701040000,Changed', ...rows(40_001, 2)];
    const { totals } = await run(file(lines), { dryRun: true, list });
    assert.deepEqual(totals, { rowsDone: 3003, created: 3000, updated: 0, unchanged: 0, repeated: 3, errors: 0 });
    const stopped = await run(file(lines), { list, onBatch: async () => 'stop' });
    assert.equal(stopped.totals.rowsDone, 2500);
    const rest = await run(file(lines), { list, rowsDone: 2500 });
    assert.deepEqual([rest.totals.created, rest.totals.repeated], [500, 3]);
    assert.deepEqual([(await find('+447701040000')).name, await countOf(list)], ['Changed', 3000]);
  });

  it('refuses a language that does not exist', async () => {
    const known = ['en_GB', 'pt-BR', 'zh_Hans', 'es_419', 'fil', 'nb', 'kk', 'prs_AF', 'rw_RW', ''];
    const unknown = ['zz', 'en_ZZZ', 'xx_GB', 'qqq'];
    const lines = [...known, ...unknown].map((language, at) => `+44770105${1000 + at},${language}`);
    const { totals, errors } = await run(['phone,language', ...lines].join('\n'));
    assert.deepEqual([totals.created, totals.errors], [known.length, unknown.length]);
    for (const { error } of errors) assert.equal(error, 'language_code: Enter a language code such as en_GB.');
  });

  it('goes on after a broken row in the middle, in batches of 2,500', async () => {
    const lines = rows(10_000, 6000);
    lines[3999] = '"broken';
    const { totals, batches, errors } = await run(file(lines));
    assert.deepEqual(totals, { rowsDone: 6000, created: 5999, updated: 0, unchanged: 0, repeated: 0, errors: 1 });
    assert.deepEqual(errors, [{ line: 4001, error: 'A quote is opened and not closed.' }]);
    assert.deepEqual(
      batches.map(({ rowsDone }) => rowsDone),
      [2500, 5000, 6000],
    );
  });

  it('goes on where an earlier run stopped or crashed, and ends the same', async () => {
    const list = await newList('Resumed');
    const text = file(rows(20_000, 12_000));
    const stopped = await run(text, { list, onBatch: async () => 'stop' });
    assert.deepEqual([stopped.totals.rowsDone, stopped.totals.created, await countOf(list)], [2500, 2500, 2500]);
    let seen = 0;
    await assert.rejects(
      run(text, {
        list,
        rowsDone: 2500,
        onBatch: async () => {
          if (++seen === 2) throw new Error('The power went out.');
          return 'go';
        },
      }),
      /The power went out/,
    );
    // The batch in which it happened is not there: 5,000 rows are.
    assert.equal(await countOf(list), 5000);
    const rest = await run(text, { list, rowsDone: 5000 });
    assert.deepEqual(rest.totals, {
      rowsDone: 12_000,
      created: 7000,
      updated: 0,
      unchanged: 0,
      repeated: 0,
      errors: 0,
    });
    assert.equal(await countOf(list), 12_000);
    const again = await run(text, { list });
    assert.deepEqual(again.totals, {
      rowsDone: 12_000,
      created: 0,
      updated: 0,
      unchanged: 12_000,
      repeated: 0,
      errors: 0,
    });
  });

  it('reads what the export wrote, and finds nothing new in it', async () => {
    const list = await newList('Round trip');
    const odd = {
      phone_number: '+44 (7700) 900-760',
      name: '=SUM(A1), "x"\ny',
      attributes: { n: 1.5, b: false, t: '@x', 'k"': "it's" },
    };
    await app.call('POST', '/v2/contacts/', { ...odd, lists: [list] });
    await run(file(rows(20_000, 1500)), { list });
    const text = await fileOf({ list });
    const { totals } = await run(text, { list });
    assert.deepEqual(totals, { rowsDone: 1501, created: 0, updated: 0, unchanged: 1501, repeated: 0, errors: 0 });
    await app.call(
      'DELETE',
      `/v2/contacts/${(await app.call('GET', `/v2/contacts/?list=${list}&name==SUM`)).body.results[0].uuid}/`,
    );
    await run(text);
    const back = await find('+447700900760');
    assert.deepEqual([back.phone_number, back.name, back.attributes], [odd.phone_number, odd.name, odd.attributes]);
    const nothing = await fileOf({ q: 'nobody' });
    assert.match(nothing, /^phone_number,name,[^\n]*\r\n$/);
  });
});
