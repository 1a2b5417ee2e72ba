import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { campaigner } from '../../../../test/kit/campaigns/campaigner.ts';
import { originOf } from '../../../platform/config.ts';
import { findLinkAnyAccount } from '../../links/index.ts';
import { countReplies, findLaunchesOf } from '../index.ts';

let app: TestApp;
let a: ReturnType<typeof campaigner>;
before(async () => {
  app = await startTestApp();
  a = campaigner(app);
});
after(() => app.close());

describe('findLaunchesOf', () => {
  test('finds the newest launch that wrote to a person from that number, and nobody else’s', async () => {
    const [ana, bo] = ['447700900801', '447700900802'];
    const list = await a.list([`+${ana}`]);
    const launches: string[] = [];
    for (const sender of ['+447700900001', '+44 7700 900001', '+447700900002']) {
      launches.push(await a.launch(await a.campaign([list], { sender })));
      await a.until(launches.at(-1)!, a.ended('COMPLETED'));
    }
    const { accountId } = app;
    const to = (sender: string, digits: string, channel: 'CHATAPP' | 'SMS' = 'CHATAPP') => ({
      accountId,
      channel,
      sender,
      digits,
    });
    const writers = [
      to('447700900001', ana),
      to('447700900002', ana),
      to('447700900003', ana),
      to('447700900001', bo),
      to('447700900001', ana, 'SMS'),
    ];
    const found = await findLaunchesOf(app.deps.db, writers);
    assert.deepEqual(
      writers.map((writer) => found.get(writer)),
      [launches[1], launches[2], undefined, undefined, undefined],
    );
    const reply = { accountId, campaignLog: launches[1]!, digits: ana };
    await countReplies(app.deps.db, [reply, reply]);
    await countReplies(app.deps.db, [reply]);
    assert.equal((await a.log(launches[1]!)).replied, 1, 'everybody counts once');
  });
});

describe('track_links', () => {
  const bodyOf = async (uuid: string): Promise<string> => {
    const { results } = (await app.call('GET', `/v2/chatapp/messages/?campaign_log=${uuid}`)).body;
    return results[0].message_data.text.body;
  };

  test('replaces addresses by links of this server, one for each message, and leaves the rest as it is', async () => {
    const list = await a.list(['+447700900811']);
    const text = 'See https://example.com/a?n={{ phone_number }}, http://example.org/. Or https://example.org/b!';
    const tracked = await a.launch(await a.campaign([list], { text, track_links: true }));
    await a.until(tracked, a.ended('COMPLETED'));
    const body = await bodyOf(tracked);
    const codes = [...body.matchAll(/\/l\/([a-z0-9]+)/g)].map(([, code]) => code!);
    const [one, two, three] = codes.map((code) => `${originOf(app.deps.config)}/l/${code}`);
    assert.equal(body, `See ${one}, ${two}. Or ${three}!`);
    const links = await Promise.all(codes.map((code) => findLinkAnyAccount(app.deps.db, code)));
    assert.deepEqual(
      links.map((link) => [link?.kind, link?.campaign_log, link?.url]),
      ['https://example.com/a?n=+447700900811', 'http://example.org/', 'https://example.org/b'].map((url) => [
        'CAMPAIGN',
        tracked,
        url,
      ]),
    );
    const { results } = (await app.call('GET', `/v2/chatapp/messages/?campaign_log=${tracked}`)).body;
    assert.equal(links[0]?.message, results[0].uuid);

    const plain = await a.launch(await a.campaign([list], { text: 'See https://example.com/' }));
    await a.until(plain, a.ended('COMPLETED'));
    assert.equal(await bodyOf(plain), 'See https://example.com/');
  });
});
