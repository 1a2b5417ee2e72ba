import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { startTestApp, type TestApp } from '../../../test/kit/app.ts';
import { onlyPlain } from '../../../test/kit/database.ts';
import { contactsWhere } from './queries.ts';

const url = '/v2/contacts/';
const nobody = '01890000-0000-7000-8000-000000000000';

let app: TestApp;
before(async () => {
  app = await startTestApp({ ROLES: 'api' });
});
after(() => app.close());

let last = 100;
const newNumber = (): string => `+44 7700 900${++last}`;
const create = async (fields: object = {}) => {
  const answer = await app.call('POST', url, { phone_number: newNumber(), ...fields });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body;
};
const newList = async (name: string): Promise<string> => (await app.call('POST', '/v2/lists/', { name })).body.uuid;
const countOf = async (list: string): Promise<number> =>
  (await app.call('GET', `/v2/lists/${list}/`)).body.contact_count;
const kindsOf = async (subject: string): Promise<string[]> =>
  (await app.call('GET', `/v2/events/?subject=${subject}&ordering=created`)).body.results.map(
    ({ kind }: { kind: string }) => kind,
  );

describe(`POST ${url}`, () => {
  it('201 with everything that was said, and with nothing where nothing was', async () => {
    const list = await newList('Everybody');
    const full = {
      phone_number: '+44 (7700) 900-601',
      name: 'Ana Lovelace',
      language_code: 'en_GB',
      time_zone: 'Europe/London',
      attributes: { city: 'London', orders: 3, member: true },
      lists: [list],
    };
    const { uuid, created, modified, ...rest } = await create(full);
    assert.deepEqual(rest, full);
    assert.equal(created, modified);
    assert.equal(await countOf(list), 1);
    assert.deepEqual((await app.call('GET', `${url}${uuid}/`)).body, { uuid, created, modified, ...full });
    const bare = await create();
    assert.deepEqual(
      [bare.name, bare.language_code, bare.time_zone, bare.attributes, bare.lists],
      ['', '', '', {}, []],
    );
    assert.deepEqual(await kindsOf(uuid), ['contact.created']);
  });

  it('400 for a number that a contact has, in whatever notation; another account may have it', async () => {
    await create({ phone_number: '07700 900602' });
    for (const phone_number of ['+447700900602', '0044 7700 900602', '447700900602', '(07700) 900 602']) {
      const { status, body } = await app.call('POST', url, { phone_number });
      assert.deepEqual(
        [status, body],
        [400, { phone_number: ['A contact with this phone number already exists.'] }],
        phone_number,
      );
    }
    const theirs = await app.call('POST', url, { phone_number: '07700 900602' }, { token: app.otherToken });
    assert.equal(theirs.status, 201);
  });

  const bad: [body: object, errors: object][] = [
    [{ name: 'Ana' }, { phone_number: ['This field is required.'] }],
    [{ phone_number: 'mum' }, { phone_number: ['Enter a valid phone number.'] }],
    [{ phone_number: '012345' }, { phone_number: ['Enter a valid phone number.'] }],
    [{ time_zone: 'Mars/Olympus' }, { time_zone: ['Enter a valid time zone.'] }],
    [{ time_zone: '+01:00' }, { time_zone: ['Enter a valid time zone.'] }],
    [{ language_code: 'English' }, { language_code: ['Enter a language code such as en_GB.'] }],
    [{ name: 'x'.repeat(256) }, { name: ['Ensure this field has no more than 255 characters.'] }],
    [{ attributes: { a: {} } }, { attributes: { a: ['Not a valid string.'] } }],
    [{ attributes: { a: null } }, { attributes: { a: ['This field may not be null.'] } }],
    [
      { attributes: { a: 'x'.repeat(1001) } },
      { attributes: { a: ['Ensure this field has no more than 1000 characters.'] } },
    ],
    [{ lists: [nobody] }, { lists: [`Invalid pk "${nobody}" - object does not exist.`] }],
  ];
  for (const [body, errors] of bad) {
    it(`400 for ${JSON.stringify(body).slice(0, 60)}`, async () => {
      const whole = 'name' in body && body.name === 'Ana' ? body : { phone_number: newNumber(), ...body };
      const answer = await app.call('POST', url, whole);
      assert.deepEqual([answer.status, answer.body], [400, errors]);
    });
  }

  it('400 for too many attributes, and for names that are none', async () => {
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`a${at}`, at]));
    for (const attributes of [many, { '': 1 }, { ['x'.repeat(65)]: 1 }]) {
      const { status, body } = await app.call('POST', url, { phone_number: newNumber(), attributes });
      assert.deepEqual([status, Object.keys(body)], [400, ['attributes']]);
    }
    await create({ attributes: { ['x'.repeat(64)]: '😀'.repeat(1000), __proto__: 1, "it's": 'a\\b"c\'d' } });
  });
});

describe(`${url}{uuid}/`, () => {
  it('PUT replaces all but the lists, PATCH what it names; each change is told, and nothing where nothing changed', async () => {
    const list = await newList('Patched');
    const before = await create({ name: 'Ana', attributes: { a: 1, b: 'x' }, lists: [list] });
    const at = `${url}${before.uuid}/`;
    const put = await app.call('PUT', at, { phone_number: '07700 900611', language_code: 'de' });
    assert.equal(put.status, 200);
    const { phone_number, name, language_code, attributes, lists } = put.body;
    assert.deepEqual([phone_number, name, language_code, attributes, lists], ['07700 900611', '', 'de', {}, [list]]);
    const other = await newList('Patched again');
    const patch = await app.call('PATCH', at, { attributes: { c: true }, lists: [other.toUpperCase()] });
    assert.deepEqual([patch.body.attributes, patch.body.lists], [{ c: true }, [other]]);
    assert.deepEqual([await countOf(list), await countOf(other)], [0, 1]);
    const again = await app.call('PATCH', at, { attributes: { c: true }, language_code: 'de', lists: [other] });
    assert.deepEqual(again.body, patch.body);
    assert.deepEqual(await kindsOf(before.uuid), ['contact.created', 'contact.updated', 'contact.updated']);
    const found = await app.call('GET', `${url}?phone_number=447700900611`);
    assert.equal(found.body.results[0].uuid, before.uuid);
  });

  it('400 for the number of another contact', async () => {
    const [one, other] = [await create(), await create()];
    for (const method of ['PUT', 'PATCH'] as const) {
      const answer = await app.call(method, `${url}${one.uuid}/`, { phone_number: other.phone_number });
      assert.deepEqual(answer.body, { phone_number: ['A contact with this phone number already exists.'] });
    }
  });

  it('DELETE takes it off its lists; 404 then, and for another tenant at any time', async () => {
    const list = await newList('Left');
    const { uuid } = await create({ lists: [list] });
    const at = `${url}${uuid}/`;
    for (const [method, body] of [
      ['GET'],
      ['PUT', { phone_number: '+447700900699' }],
      ['PATCH', {}],
      ['DELETE'],
    ] as const) {
      assert.equal((await app.call(method, at, body, { token: app.otherToken })).status, 404, method);
    }
    assert.equal((await app.call('DELETE', at)).status, 204);
    assert.equal((await app.call('GET', at)).status, 404);
    assert.equal((await app.call('DELETE', at)).status, 404);
    assert.equal(await countOf(list), 0);
    assert.deepEqual(await kindsOf(uuid), ['contact.created', 'contact.deleted']);
    const again = await app.call('POST', '/v2/lists/', { name: 'theirs', description: '' }, { token: app.otherToken });
    assert.equal(again.status, 201);
  });
});

describe(`GET ${url}`, () => {
  const find = async (query: string, token = app.token): Promise<string[]> => {
    const { status, body } = await app.call('GET', `${url}?ordering=created&${query}`, undefined, { token });
    assert.equal(status, 200, JSON.stringify(body));
    return body.results.map(({ name }: { name: string }) => name);
  };

  it('filters by number, beginning of the name, language, list, attributes and words', async () => {
    const list = await newList('Filtered');
    const people = [
      {
        phone_number: '+49 30 901821',
        name: 'Émilie du Châtelet',
        language_code: 'fr',
        attributes: { k: 'a:b', n: 42 },
        lists: [list],
      },
      {
        phone_number: '+49 30 901822',
        name: "O'Hara %_\\ Émile",
        language_code: 'fr',
        attributes: { k: 'x, y', n: '42', t: true },
      },
      {
        phone_number: '+49 30 901823',
        name: 'Du Barry',
        language_code: 'fr_FR',
        attributes: { n: 420 },
        lists: [list],
      },
    ];
    for (const person of people) await create(person);
    const [one, two, three] = people.map(({ name }) => name);
    for (const [query, expected] of [
      ['phone_number=0049-30-901822', [two]],
      ['name=ÉMILIE', [one]],
      ['name=émilie%20du%20ch', [one]],
      ["name=o'h", [two]],
      ["name=O'Hara%20%25_%5C", [two]],
      ["name=O'Hara%20%25_x", []],
      ['name=du', [three]],
      ['name=Barry', []],
      ['q=du', [one, three]],
      ['q=du%20émil', [one]],
      ["q=o'hara", [two]],
      ['q=%2B4930', [one, two, three]],
      ['q=4930901823', [three]],
      ['language_code=fr', [one, two]],
      [`list=${list}`, [one, three]],
      [`list=${list}&q=barry`, [three]],
      [`list=${nobody}`, []],
      ['attribute=k:a:b', [one]],
      ['attribute=k:x,%20y', [two]],
      ['attribute=n:42', [one, two]],
      ['attribute=n:42&attribute=t:true', [two]],
      ['attribute=n:4', []],
      ['attribute=n', []],
    ] as const) {
      assert.deepEqual(await find(query), expected, query);
    }
    for (const query of ['name=du', 'q=du', 'attribute=n:42', `list=${list}`, 'language_code=fr']) {
      assert.deepEqual(await find(query, app.otherToken), [], query);
    }
    const theirs = await app.call('GET', `${url}?page_size=1&language_code=fr`);
    assert.equal(new URL(theirs.body.next).searchParams.get('language_code'), 'fr');
    const second = await app.call('GET', theirs.body.next);
    assert.equal(second.body.results.length, 1);
  });

  it('finds by each filter through an index, and reads nothing of other tenants', onlyPlain, async () => {
    const { db } = app.deps;
    await sql`insert into contacts (account_id, uuid, phone_number, digits, name, language_code, attributes)
      select ${app.accountId}, uuidv7(), n::text, n::text, 'Person ' || to_hex(n), case when n % 4000 = 0 then 'pl' else 'en' end,
        jsonb_build_object('bucket', n % 5000) from generate_series(1000000, 1020000) n`.execute(db);
    await sql`vacuum analyze contacts`.execute(db).catch(() => sql`analyze contacts`.execute(db));
    for (const [filters, index] of [
      [{ phone_number: '1000007' }, 'contacts_account_id_digits_key'],
      [{ name: 'person f4' }, 'contacts_terms'],
      [{ q: 'f424' }, 'contacts_terms'],
      [{ q: '100000' }, 'contacts_account_id_digits_key'],
      [{ attribute: ['bucket:17'] }, 'contacts_terms'],
      [{ language_code: 'pl' }, 'contacts_language'],
    ] as const) {
      const plan = JSON.stringify(
        await contactsWhere(db, app.accountId, filters as object, 'GB')
          .orderBy('contacts.uuid')
          .limit(26)
          .explain('json'),
      );
      assert.match(plan, new RegExp(`"Index Name":"${index}"`), JSON.stringify(filters));
      assert.doesNotMatch(plan, /Seq Scan/);
    }
    await sql`delete from contacts where language_code in ('pl', 'en')`.execute(db);
  });

  it('comes as a file, safe from formulas', async () => {
    const list = await newList('File');
    await create({ phone_number: '+49 30 901831', name: '=1+1', attributes: { a: 'x,"y"' }, lists: [list] });
    await create({ phone_number: '+49 (30) 901832', name: '@b', lists: [list] });
    const { body, headers } = await app.call('GET', `${url}?list=${list}&ordering=created`, undefined, {
      headers: { accept: 'text/csv' },
    });
    assert.match(String(headers['content-type']), /^text\/csv/);
    const [header, first, second, ...rest] = body.split('\r\n');
    assert.equal(header, 'phone_number,name,language_code,time_zone,attributes,lists,uuid,created,modified');
    assert.ok(first.startsWith(`+49 30 901831,'=1+1,,,"{""a"":""x,\\""y\\""""}",${list},`), first);
    assert.ok(second.startsWith(`'+49 (30) 901832,'@b,,,{},${list},`), second);
    assert.deepEqual(rest, ['']);
  });

  it(`GET ${url}sample/ › a file with a header and two rows`, async () => {
    const { status, headers, body } = await app.call('GET', `${url}sample/`);
    assert.deepEqual([status, body.split('\r\n').length], [200, 4]);
    assert.match(String(headers['content-type']), /^text\/csv/);
  });
});
