import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { assertAddsUp, campaigner } from '../../../../test/kit/campaigns/campaigner.ts';

let app: TestApp;
let a: ReturnType<typeof campaigner>;
let list: string;

const people = {
  ana: { name: 'Ana Marín', language_code: 'es', attributes: { city: 'Madrid', budget: 250000, seen: '2026-03-01' } },
  ben: { name: 'Ben', language_code: 'en', attributes: { city: 'London', budget: '90000', seen: '2026-01-15' } },
  cyr: { name: 'Кирилл', language_code: 'ru', attributes: { city: 'Лондон', vip: true, budget: 'a lot' } },
  dan: { name: 'Dan', attributes: { city: '' } },
};
const numbers = Object.fromEntries(Object.keys(people).map((name, index) => [name, `+44770090060${index}`]));

before(async () => {
  app = await startTestApp();
  a = campaigner(app);
  list = await a.list([]);
  for (const [name, person] of Object.entries(people)) {
    await a.make('/v2/contacts/', { phone_number: numbers[name], ...person, lists: [list] });
  }
});
after(() => app.close());

const ask = (segment: unknown) => {
  const text = typeof segment === 'string' ? segment : JSON.stringify(segment);
  return app.call('GET', `/v2/campaigns/audience/?lists=${list}&segment=${encodeURIComponent(text)}`);
};

describe('the segment of a campaign', () => {
  const cases: [field: string, operator: string, value: unknown, who: string][] = [
    ['attributes.city', 'EQ', 'London', 'ben'],
    ['attributes.city', 'EQ', 'london', ''],
    ['attributes.city', 'NE', 'London', 'ana cyr dan'],
    ['attributes.city', 'IN', ['Madrid', 'Лондон'], 'ana cyr'],
    ['attributes.city', 'NOT_IN', ['Madrid', 'Лондон'], 'ben dan'],
    ['attributes.city', 'CONTAINS', 'LOND', 'ben'],
    ['attributes.city', 'SET', undefined, 'ana ben cyr'],
    ['attributes.city', 'NOT_SET', undefined, 'dan'],
    ['attributes.budget', 'GT', 100000, 'ana'],
    ['attributes.budget', 'LTE', 90000, 'ben'],
    ['attributes.budget', 'EQ', 250000.0, 'ana'],
    ['attributes.budget', 'NE', 250000, 'ben cyr dan'],
    ['attributes.seen', 'GTE', '2026-02-01', 'ana'],
    ['attributes.seen', 'LT', '2026-02-01', 'ben'],
    ['attributes.vip', 'EQ', true, 'cyr'],
    ['attributes.nobody has it', 'SET', undefined, ''],
    ["attributes.it's", 'NE', "'; --", 'ana ben cyr dan'],
    ['language_code', 'IN', ['en', 'ru'], 'ben cyr'],
    ['language_code', 'NOT_SET', undefined, 'dan'],
    ['name', 'CONTAINS', 'кирилл', 'cyr'],
  ];
  for (const [field, operator, value, who] of cases) {
    test(`${field} ${operator} ${JSON.stringify(value) ?? ''} is ${who || 'nobody'}`, async () => {
      const campaign = await a.campaign([list], {
        channel: 'SMS',
        sender: 'Parley',
        text: 'Hello',
        segment: [{ field, operator, ...(value !== undefined && { value }) }],
      });
      const { segment } = (await app.call('GET', `/v2/campaigns/${campaign}/`)).body;
      const wanted = who.split(' ').filter(Boolean);
      assert.equal((await ask(segment)).body.people, wanted.length);
      const uuid = await a.launch(campaign);
      const log = await a.until(uuid, a.ended('COMPLETED'));
      assertAddsUp(log);
      assert.equal(log.audience, wanted.length);
      const { results } = (await app.call('GET', `/v2/sms-records/?campaign_log=${uuid}`)).body;
      assert.deepEqual(
        results.map(({ to }: { to: string }) => to).toSorted(),
        wanted.map((name) => numbers[name]),
      );
    });
  }

  test('has conditions that all hold', async () => {
    const english = { field: 'language_code', operator: 'EQ', value: 'en' };
    const rich = { field: 'attributes.budget', operator: 'GT', value: 50000 };
    assert.equal((await ask([rich, english])).body.audience, 1);
    assert.equal((await ask([])).body.audience, 4);
  });

  test('is asked for the first person in a preview', async () => {
    const segment = [{ field: 'attributes.city', operator: 'EQ', value: 'Лондон' }];
    const campaign = await a.campaign([list], { text: 'Hello {{ name }}', channel: 'SMS', sender: 'Parley', segment });
    const preview = await app.call('POST', `/v2/campaigns/${campaign}/preview/`, {});
    assert.equal(preview.body.message.text, 'Hello Кирилл');
    const nobody = [{ field: 'attributes.city', operator: 'EQ', value: 'Nowhere' }];
    await app.call('PATCH', `/v2/campaigns/${campaign}/`, { segment: nobody });
    const { status, body } = await app.call('POST', `/v2/campaigns/${campaign}/preview/`, {});
    assert.deepEqual(
      [status, body],
      [400, { contact: ['Nobody of the first thousand meets the conditions: name a contact.'] }],
    );
  });

  test('is a 400 at its field when it makes no sense', async () => {
    const wrong: [unknown, object][] = [
      ['{', { segment: ['Enter valid JSON.'] }],
      [
        [{ field: 'digits', operator: 'SET' }],
        { segment: [{ field: ['Enter name, language_code, time_zone or attributes.<name>.'] }] },
      ],
      [
        [{ field: 'name', operator: 'EQ', value: '\0' }],
        { segment: [{ value: ['Null characters are not allowed.'] }] },
      ],
      [[{ field: 'name', operator: 'EQ' }], { segment: [{ value: ['This field is required.'] }] }],
      [[{ field: 'name', operator: 'EQ', value: ['a'] }], { segment: [{ value: ['Enter one value.'] }] }],
      [[{ field: 'name', operator: 'IN', value: 'a' }], { segment: [{ value: ['Enter a list of values.'] }] }],
      [[{ field: 'name', operator: 'SET', value: 'a' }], { segment: [{ value: ['SET has no value.'] }] }],
    ];
    for (const [segment, expected] of wrong) {
      const { status, body } = await ask(segment);
      assert.deepEqual([status, body], [400, expected], JSON.stringify(segment));
    }
    const { status, body } = await ask([{ field: 'name', operator: 'LIKE', value: 'a' }]);
    assert.deepEqual([status, Object.keys(body.segment)], [400, ['0']]);
  });
});
