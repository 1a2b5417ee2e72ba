import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestApp, type TestApp } from '../../../test/kit/app.ts';
import { silentMp3 } from '../../../test/kit/speech/sounds.ts';
import { routeCall } from './index.ts';

let app: TestApp;
before(async () => {
  app = await startTestApp({ ROLES: 'api' });
});
after(() => app.close());

const url = '/v2/routing-configs/';
const create = (body: object) => app.call('POST', url, { name: 'x', channel: 'VOICE', ...body });
const make = async (body: object) => {
  const answer = await create(body);
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body;
};
const agent = async (body: object): Promise<string> =>
  (await app.call('POST', '/v2/agent-configs/', { numbers: ['+447700900301'], ...body })).body.uuid;
const uploadAudio = async (name: string): Promise<void> => {
  const form = new FormData();
  form.append('name', name);
  form.append('file', new Blob([new Uint8Array(silentMp3(24_000, 0.5))]), 'x.mp3');
  const request = new Response(form);
  const { statusCode } = await app.app.inject({
    method: 'POST',
    url: '/v2/audio-files/',
    headers: { authorization: `Token ${app.token}`, 'content-type': request.headers.get('content-type') ?? '' },
    payload: Buffer.from(await request.arrayBuffer()),
  });
  assert.equal(statusCode, 201);
};
const hangUp = { type: 'HANGUP' };
const monday10 = new Date('2026-11-16T10:00:00Z');

describe(url, () => {
  test('one that is changed and deleted at once is changed first, or not found', async () => {
    for (let round = 0; round < 20; round++) {
      const { uuid } = await make({ routes: [], fallback: hangUp });
      const [changed, deleted] = await Promise.all([
        app.call('PATCH', `${url}${uuid}/`, { name: 'y' }),
        app.call('DELETE', `${url}${uuid}/`),
      ]);
      assert.ok([200, 404].includes(changed.status), JSON.stringify(changed.body));
      assert.equal(deleted.status, 204);
    }
  });

  test('unknown keys inside destinations and conditions are named, and not stored', async () => {
    const answer = await create({
      channel: 'CHATAPP',
      routes: [
        {
          conditions: { agent_available: { skill: 'sales', skil: 'x' }, keyword: ['a'] },
          destination: { type: 'AGENT', skill: 'sales', stategy: 'ROUND_ROBIN' },
        },
        { destination: { type: 'CHATAPP', chatapp_number: '+442079460001', to: '+447700900302', tekst: 'a' } },
      ],
      fallback: { type: 'SMS', from: 'Parley', to: '+447700900302', templat: {} },
    });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    assert.deepEqual(String(answer.headers['parley-ignored-fields']).split(', '), [
      'routes.0.conditions.agent_available.skil',
      'routes.0.conditions.keyword',
      'routes.0.destination.stategy',
      'routes.1.destination.tekst',
      'fallback.templat',
    ]);
    assert.deepEqual(answer.body.routes[0].destination, { type: 'AGENT', skill: 'sales' });
    await app.call('DELETE', `${url}${answer.body.uuid}/`);
  });

  test('a config is made, listed, changed, replaced and deleted', async () => {
    const routes = [
      { name: 'All', conditions: {}, destination: { type: 'SIP', uri: 'sip:desk@example.com' }, weight: 2 },
    ];
    const body = await make({ numbers: ['+44 20 7946 0101'], routes, fallback: hangUp });
    assert.deepEqual([body.routes, body.fallback, body.enabled], [routes, hangUp, true]);
    const one = `${url}${body.uuid}/`;
    assert.deepEqual((await app.call('GET', one)).body, body);
    const list = async (query: string) =>
      (await app.call('GET', `${url}?${query}`)).body.results.map((row: { uuid: string }) => row.uuid);
    assert.deepEqual(await list('channel=VOICE&number=442079460101'), [body.uuid]);
    assert.deepEqual(await list('channel=SMS'), []);
    assert.equal((await app.call('PATCH', one, { name: 'Desk' })).body.name, 'Desk');
    assert.deepEqual((await app.call('PUT', one, { name: 'Desk', channel: 'SMS' })).body.routes, []);
    assert.equal((await app.call('DELETE', one)).status, 204);
    assert.equal((await app.call('GET', one)).status, 404);
  });

  test('one enabled config decides for a number, in whatever notation; others are refused', async () => {
    const first = await make({ numbers: ['+44 20 7946 0102'] });
    const again = await create({ numbers: ['+442079460102', '+442079460103'] });
    assert.deepEqual(
      [again.status, again.body],
      [400, { numbers: ['Another enabled routing config decides for "+442079460102".'] }],
    );
    await make({ numbers: ['+442079460102'], channel: 'SMS' });
    const draft = await make({ numbers: ['+442079460102'], enabled: false });
    assert.deepEqual(Object.keys((await app.call('PATCH', `${url}${draft.uuid}/`, { enabled: true })).body), [
      'numbers',
    ]);
    await app.call('DELETE', `${url}${first.uuid}/`);
    assert.equal((await app.call('PATCH', `${url}${draft.uuid}/`, { enabled: true })).status, 200);
    const all = await make({ channel: 'CHATAPP' });
    assert.equal((await create({ channel: 'CHATAPP' })).status, 400, 'and one is for all others');
    await app.call('DELETE', `${url}${all.uuid}/`);
    const both = await Promise.all([0, 1].map(() => create({ numbers: ['+442079460104', '+442079460105'] })));
    assert.deepEqual(both.map(({ status }) => status).toSorted(), [201, 400]);
    const pair = [await make({ numbers: ['+442079460106'] }), await make({ numbers: ['+442079460107'] })];
    const exchange = pair.map(({ uuid }, index) =>
      app.call('PATCH', `${url}${uuid}/`, { numbers: pair[1 - index].numbers }),
    );
    assert.deepEqual(
      (await Promise.all(exchange)).map(({ status }) => status),
      [400, 400],
      'each is refused while the other has its number',
    );
  });

  test('400 where a destination or a condition does not fit the channel, or names what is not there', async () => {
    const wrong = async (channel: string, route: object) => {
      const { status, body } = await create({ channel, enabled: false, routes: [{ destination: hangUp }, route] });
      assert.equal(status, 400, JSON.stringify(body));
      return body.routes[1];
    };
    const nobody = '01890000-0000-7000-8000-000000000000';
    const sms = { type: 'SMS', from: '+442079460100', to: '+447700900301' };
    assert.deepEqual(await wrong('VOICE', { destination: sms }), {
      destination: { type: ['"SMS" is not a destination of the channel VOICE.'] },
    });
    assert.deepEqual((await create({ channel: 'SMS', fallback: { type: 'SIP', uri: 'sip:a@b.c' } })).body, {
      fallback: { type: ['"SIP" is not a destination of the channel SMS.'] },
    });
    assert.deepEqual(await wrong('VOICE', { conditions: { keywords: ['x'] }, destination: hangUp }), {
      conditions: { keywords: ['A call has no text.'] },
    });
    assert.deepEqual(await wrong('VOICE', { conditions: { caller_lists: [nobody] }, destination: hangUp }), {
      conditions: { caller_lists: [`List "${nobody}" does not exist.`] },
    });
    assert.deepEqual(await wrong('VOICE', { destination: { type: 'AGENT', agent: nobody } }), {
      destination: { agent: [`Agent "${nobody}" does not exist.`] },
    });
    assert.deepEqual(await wrong('VOICE', { destination: { type: 'AGENT', agent: nobody, skill: 'x' } }), {
      destination: { agent: ['Give agent or skill, not both.'] },
    });
    const hook = { type: 'WEBHOOK', url: 'http://127.0.0.1/x' };
    const { body } = await create({ channel: 'SMS', routes: [{ destination: hook }] });
    assert.deepEqual(body, {
      routes: [
        { destination: { url: ["This is not a public address. The server's setting WEBHOOK_ALLOW can allow it."] } },
      ],
    });
    assert.deepEqual(await wrong('VOICE', { destination: { type: 'FAX' } }), {
      destination: { type: ['"FAX" is not a valid choice.'] },
    });
    const stranger = await make({ enabled: false });
    const theirs = await app.call('POST', `${url}${stranger.uuid}/explain/`, {}, { token: app.otherToken });
    assert.equal(theirs.status, 404);
  });
});

describe('POST …/explain/', () => {
  test('beginnings of numbers are as people write them, shown as they were given and compared by their digits', async () => {
    const written = ['+44 20', '0044 (0)7700-9'];
    const { uuid, routes } = await make({
      enabled: false,
      routes: [{ conditions: { caller_prefixes: written, dialled_prefixes: ['+44-(20)'] }, destination: hangUp }],
    });
    assert.deepEqual(routes[0].conditions.caller_prefixes, written);
    const found = async (inquiry: object) => {
      const { body } = await app.call('POST', `${url}${uuid}/explain/`, { number: '+44 20 7946 0110', ...inquiry });
      return body.routes[0].conditions.map(({ holds, found }: { holds: boolean; found: string }) => [holds, found]);
    };
    const dialled = [true, '442079460110'];
    for (const from of ['+44 7700 900777', '0044 7700 900777', '07700 900777', '447700900777']) {
      assert.deepEqual(await found({ from }), [dialled, [true, '447700900777']], from);
    }
    assert.deepEqual(await found({ from: '+33 1 45 67 89 01' }), [dialled, [false, '33145678901']]);
    assert.deepEqual(await found({}), [dialled, [false, '']], 'a withheld number');
  });

  test('says which way and why, condition by condition, and has no effect', async () => {
    const ana = await agent({ name: 'Ana', skills: ['explained'] });
    const contact = (await app.call('POST', '/v2/contacts/', { phone_number: '+447700900777', name: 'VIP' })).body.uuid;
    const list = (await app.call('POST', '/v2/lists/', { name: 'VIPs' })).body.uuid;
    await app.call('POST', `/v2/lists/${list}/contacts/`, { contacts: [contact] });
    const { uuid } = await make({
      enabled: false,
      numbers: ['+442079460110'],
      routes: [
        {
          name: 'VIP',
          conditions: { caller_lists: [list], agent_available: { skill: 'Explained' } },
          destination: { type: 'AGENT', skill: 'Explained', strategy: 'LEAST_RECENT' },
        },
        { name: 'French', conditions: { caller_countries: ['FR'] }, destination: hangUp },
      ],
      fallback: { type: 'VOICEMAIL' },
    });
    const explain = async (body: object) => (await app.call('POST', `${url}${uuid}/explain/`, body)).body;
    const vip = await explain({ from: '+44 7700 900777', at: '2026-11-16T10:00:00Z', random: 0.25 });
    assert.deepEqual(
      vip.destinations.map(({ name, agents }: { name: string; agents: unknown }) => [name, agents]),
      [
        ['VIP', [{ uuid: ana, name: 'Ana' }]],
        ['', null],
      ],
    );
    assert.deepEqual(vip.routes[1], {
      name: 'French',
      matches: false,
      drawn: null,
      conditions: [{ condition: 'caller_countries', holds: false, found: 'GB' }],
    });
    assert.deepEqual((await explain({ from: '+33 1 45 67 89 01' })).destinations[0].name, 'French');
    assert.equal((await app.call('GET', `/v2/agent-configs/${ana}/`)).body.last_assigned, null);
    assert.deepEqual(Object.keys(await explain({ at: '0001-01-01T00:00:00Z', random: 1 })), ['random']);
    assert.deepEqual(Object.keys(await explain({ at: '0001-01-01T00:00:00Z' })), ['at']);
  });
});

describe('explaining a draft', () => {
  test('tests what is in the request, saved or not, and saves nothing', async () => {
    const { uuid } = await make({ enabled: false, routes: [{ name: 'Saved', destination: hangUp }] });
    const config = { name: 'Draft', channel: 'VOICE', routes: [{ name: 'Unsaved', destination: hangUp }] };
    const first = async (path: string, body: object) => {
      const answer = await app.call('POST', `${url}${path}explain/`, body);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      return answer.body.destinations[0].name;
    };
    assert.equal(await first(`${uuid}/`, {}), 'Saved');
    assert.equal(await first(`${uuid}/`, { config }), 'Unsaved');
    assert.equal(await first('', { config }), 'Unsaved');
    assert.equal((await app.call('GET', `${url}${uuid}/`)).body.routes[0].name, 'Saved');
    const wrong = { ...config, routes: [{ destination: { type: 'SMS', from: 'x', to: '+447700900123' } }] };
    const refused = await app.call('POST', `${url}explain/`, { config: wrong });
    assert.deepEqual([refused.status, Object.keys(refused.body)], [400, ['config']]);
    assert.equal((await app.call('POST', `${url}explain/`, {})).status, 400);
    const theirs = await app.call('POST', `${url}${uuid}/explain/`, { config }, { token: app.otherToken });
    assert.equal(theirs.status, 404);
  });
});

describe('routeCall', () => {
  const steps = async (number: string, more: object = {}) => {
    const call = { number, caller: '+447700900123', digits: '', at: monday10, ...more };
    return Array.fromAsync(routeCall(app.deps, app.accountId, call));
  };

  test('agents become numbers, in order or all at once; then the other routes and the fallback', async () => {
    const [one, two] = ['+447700900311', 'sip:two@example.com'];
    const bo = await agent({ name: 'Bo', numbers: [one, two], ring: 'ALL_AT_ONCE' });
    const ana = await agent({ name: 'Ana', numbers: [one, two], skills: ['calls'], fallback: bo });
    await uploadAudio('menu');
    await make({
      numbers: ['+442079460120'],
      routes: [
        { conditions: { digits: ['1'] }, destination: { type: 'AUDIO', audio_file: 'menu' } },
        { name: 'Sales', destination: { type: 'AGENT', skill: 'calls', ring_seconds: 10 } },
        { destination: { type: 'NUMBER', numbers: ['+447700900312', '+447700900313'] } },
      ],
      fallback: { type: 'VOICEMAIL' },
    });
    assert.deepEqual(await steps('442079460120'), [
      { route: 'Sales', kind: 'RING', numbers: [one], ringSeconds: 10, agent: ana },
      { route: 'Sales', kind: 'RING', numbers: [two], ringSeconds: 10, agent: ana },
      { route: 'Sales', kind: 'RING', numbers: [one, two], ringSeconds: 10, agent: bo },
      { route: 'route 3', kind: 'RING', numbers: ['+447700900312', '+447700900313'], ringSeconds: 25, agent: null },
      { route: 'fallback', kind: 'VOICEMAIL' },
    ]);
    assert.deepEqual((await steps('442079460120', { digits: '1' }))[0], {
      route: 'route 1',
      kind: 'AUDIO',
      audioFile: 'menu',
    });
    assert.deepEqual(await steps('442079460999'), [], 'a number without a config');
  });

  test("an agent's turn is taken only when the call comes to them", async () => {
    const ana = await agent({ name: 'Ana', skills: ['lazy'] });
    await make({
      numbers: ['+442079460121'],
      routes: [
        { destination: { type: 'NUMBER', numbers: ['+447700900312'] } },
        { destination: { type: 'AGENT', skill: 'lazy' } },
      ],
    });
    const lastAssigned = async () => (await app.call('GET', `/v2/agent-configs/${ana}/`)).body.last_assigned;
    const call = { number: '+442079460121', caller: '', digits: '', at: monday10 };
    const way = routeCall(app.deps, app.accountId, call);
    await way.next();
    assert.equal(await lastAssigned(), null);
    await way.next();
    assert.notEqual(await lastAssigned(), null);
    await way.return(undefined);
  });

  test('the config that names a number wins over the one for all', async () => {
    await make({ name: 'all', fallback: hangUp });
    await make({ name: 'own', numbers: ['+442079460122'], fallback: { type: 'VOICEMAIL' } });
    assert.equal((await steps('+442079460122'))[0]?.kind, 'VOICEMAIL');
    assert.equal((await steps('+442079460123'))[0]?.kind, 'HANGUP');
  });
});
