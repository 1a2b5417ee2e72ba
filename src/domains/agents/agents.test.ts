import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestApp, type TestApp } from '../../../test/kit/app.ts';
import { assignAgent, isAvailable, previewAgent } from './index.ts';

let app: TestApp;
before(async () => {
  app = await startTestApp({ ROLES: 'api' });
});
after(() => app.close());

const url = '/v2/agent-configs/';
const create = (body: object) => app.call('POST', url, { numbers: ['+447700900301'], ...body });
const make = async (body: object): Promise<string> => {
  const answer = await create(body);
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body.uuid;
};
const monday10 = new Date('2026-11-16T10:00:00Z');

describe(url, () => {
  test('one that is changed and deleted at once is changed first, or not found', async () => {
    for (let round = 0; round < 20; round++) {
      const one = `${url}${await make({ name: 'Short' })}/`;
      const [changed, deleted] = await Promise.all([
        app.call('PATCH', one, { name: 'Shorter', skills: ['haste'] }),
        app.call('DELETE', one),
      ]);
      assert.ok([200, 404].includes(changed.status), JSON.stringify(changed.body));
      assert.equal(deleted.status, 204);
    }
  });

  test('an agent is made, found by skill, changed, replaced and deleted', async () => {
    const { status, body } = await create({
      name: 'Ana',
      skills: ['Sales', 'sales', 'Spanish'],
      holidays: ['2026-12-25'],
    });
    assert.equal(status, 201, JSON.stringify(body));
    assert.deepEqual(
      [body.skills, body.holidays, body.ring, body.working_hours, body.available, body.last_assigned],
      [['sales', 'spanish'], ['2026-12-25'], 'IN_ORDER', null, true, null],
    );
    const one = `${url}${body.uuid}/`;
    assert.deepEqual((await app.call('GET', one)).body, body);
    assert.deepEqual((await app.call('GET', `${url}?skill=SPANISH`)).body.results, [body]);
    assert.equal((await app.call('GET', `${url}?skill=french`)).body.count, 0);
    const away = (await app.call('PATCH', one, { away: true, away_until: '2999-01-01T00:00' })).body;
    assert.deepEqual([away.available, away.away_until], [false, '2999-01-01T00:00:00.000000Z']);
    const replaced = (await app.call('PUT', one, { name: 'Bo', numbers: ['sip:bo@example.com'] })).body;
    assert.deepEqual([replaced.skills, replaced.away, replaced.numbers], [[], false, ['sip:bo@example.com']]);
    assert.equal((await app.call('GET', `${url}?skill=spanish`)).body.count, 0);
    assert.equal((await app.call('DELETE', one)).status, 204);
    assert.equal((await app.call('GET', one)).status, 404);
  });

  test('400 names what is wrong', async () => {
    const wrong = async (body: object) => (await create({ name: 'x', ...body })).body;
    assert.deepEqual(await wrong({ numbers: ['ana'] }), { numbers: { 0: ['Enter a phone number or a SIP address.'] } });
    assert.deepEqual(Object.keys(await wrong({ numbers: ['sip:a@b\r\nX: y'] })), ['numbers']);
    assert.deepEqual(Object.keys(await wrong({ working_hours: { monday: [{ start: '9', end: '10:00' }] } })), [
      'working_hours',
    ]);
    assert.deepEqual(Object.keys(await wrong({ time_zone: 'Mars/Base' })), ['time_zone']);
    assert.deepEqual(Object.keys(await wrong({ away_until: '0001-01-01T00:00:00+10:00' })), ['away_until']);
    const stranger = (await app.call('POST', url, { name: 'x', numbers: ['+447700900301'] }, { token: app.otherToken }))
      .body.uuid;
    assert.deepEqual(await wrong({ fallback: stranger }), { fallback: [`Agent "${stranger}" does not exist.`] });
  });

  test('a circle of fallbacks is refused, whichever change would close it, and two at once cannot', async () => {
    const first = await make({ name: 'first' });
    const second = await make({ name: 'second', fallback: first });
    const third = await make({ name: 'third', fallback: second });
    const closing = (uuid: string, fallback: string) => app.call('PATCH', `${url}${uuid}/`, { fallback });
    for (const fallback of [first, second, third]) assert.equal((await closing(first, fallback)).status, 400);
    const [one, two] = [await make({ name: 'one' }), await make({ name: 'two' })];
    const both = await Promise.all([closing(one, two), closing(two, one)]);
    assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 400]);
    assert.equal((await app.call('DELETE', `${url}${first}/`)).status, 204);
    assert.equal((await app.call('GET', `${url}${second}/`)).body.fallback, null, 'a deleted fallback is none');
  });
});

describe('availability', () => {
  const agent = {
    zone: 'Europe/London',
    working_hours: { monday: [{ start: '09:00', end: '17:00' }] },
    holidays: ['2026-11-23'],
    away: false,
    away_until: null,
  };
  test('hours, holidays and absence each speak for themselves', () => {
    const available = (more: object, at: Date) => isAvailable({ ...agent, ...more }, at);
    assert.equal(available({}, monday10), true);
    assert.equal(available({}, new Date('2026-11-16T18:00:00Z')), false, 'after hours');
    assert.equal(available({ working_hours: null }, new Date('2026-11-15T03:00:00Z')), true, 'no hours: always');
    assert.equal(available({}, new Date('2026-11-23T10:00:00Z')), false, 'a holiday');
    assert.equal(available({ away: true }, monday10), false);
    const until = { away: true, away_until: '2026-11-16T10:00:00.000000Z' };
    assert.equal(available(until, new Date(monday10.getTime() - 1)), false);
    assert.equal(available(until, monday10), true, 'back from that moment on');
  });
});

describe('whose turn it is', () => {
  const assign = async (wanted: Parameters<typeof assignAgent>[2]) =>
    (await assignAgent(app.deps, app.accountId, wanted, monday10)).map(({ name }) => name);

  test('ROUND_ROBIN goes round, passes over who is away, and is fair to many at once', async () => {
    const uuids = [];
    for (const name of ['a', 'b', 'c']) uuids.push(await make({ name, skills: ['round'] }));
    const wanted = { skill: 'Round', strategy: 'ROUND_ROBIN' as const };
    const turns = [];
    for (let turn = 0; turn < 4; turn++) turns.push(...(await assign(wanted)));
    assert.deepEqual(turns, ['a', 'b', 'c', 'a']);
    await app.call('PATCH', `${url}${uuids[1]}/`, { away: true });
    assert.deepEqual([...(await assign(wanted)), ...(await assign(wanted))], ['c', 'a']);
    await app.call('PATCH', `${url}${uuids[1]}/`, { away: false });
    const many = (await Promise.all(Array.from({ length: 30 }, () => assign(wanted)))).flat();
    const counts = Object.groupBy(many, (name) => name!);
    assert.deepEqual(
      Object.values(counts).map((some) => some!.length),
      [10, 10, 10],
    );
  });

  test('LEAST_RECENT asks whoever waited the longest, by whatever way they were last asked', async () => {
    const uuids: string[] = [];
    for (const name of ['x', 'y', 'z']) uuids.push(await make({ name, skills: ['recent'] }));
    const wanted = { skill: 'recent', strategy: 'LEAST_RECENT' as const };
    assert.deepEqual(await assign({ agent: uuids[0]! }), ['x']);
    assert.deepEqual(
      [...(await assign(wanted)), ...(await assign(wanted)), ...(await assign(wanted))],
      ['y', 'z', 'x'],
    );
    const many = (await Promise.all(Array.from({ length: 9 }, () => assign(wanted)))).flat();
    assert.deepEqual(many.toSorted(), ['x', 'x', 'x', 'y', 'y', 'y', 'z', 'z', 'z']);
  });

  test('after somebody come their fallbacks; who is not available is not asked, and a preview takes no turn', async () => {
    const last = await make({ name: 'last' });
    const middle = await make({ name: 'middle', fallback: last, away: true });
    const first = await make({ name: 'first', fallback: middle, skills: ['chain'] });
    assert.deepEqual(await assign({ agent: first }), ['first', 'last']);
    const wanted = { skill: 'chain', strategy: 'ROUND_ROBIN' as const };
    const before = (await app.call('GET', `${url}${first}/`)).body.last_assigned;
    assert.equal((await previewAgent(app.deps, app.accountId, wanted, monday10)).length, 2);
    assert.equal((await app.call('GET', `${url}${first}/`)).body.last_assigned, before);
    await app.call('PATCH', `${url}${first}/`, { away: true });
    assert.deepEqual(await assign({ agent: first }), ['last'], 'the fallback in place of one who is away');
    assert.deepEqual(await assign(wanted), [], 'nobody with the skill is there');
  });
});
