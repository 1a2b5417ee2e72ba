import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../../../test/kit/app.ts';
import { newId } from '../../platform/ids.ts';
import { createLinks, findLinkAnyAccount } from './index.ts';

describe('createLinks', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp();
  });
  after(() => app.close());

  it('answers one code per link, in their order, each of ten characters that can be read aloud', async () => {
    const session = newId();
    const expires = '2030-01-01T00:00:00.000000Z';
    const codes = await createLinks(app.deps.db, app.accountId, [
      { kind: 'INTRO', chatIntro: newId() },
      { kind: 'BPARTY', chatIntro: newId(), session, singleUse: true, expires },
    ]);
    for (const code of codes) assert.match(code, /^[2-9bcdfghjkmnp-tv-z]{10}$/);
    const [intro, bparty] = await Promise.all(codes.map((code) => findLinkAnyAccount(app.deps.db, code)));
    assert.equal(intro?.kind, 'INTRO');
    assert.equal(intro.account_id, app.accountId);
    assert.deepEqual(
      { kind: bparty?.kind, session: bparty?.session, single: bparty?.single_use, expires: bparty?.expires },
      { kind: 'BPARTY', session, single: true, expires },
    );
  });

  it('makes links of campaigns, 500 at once, each for its message and to its address', async () => {
    const campaignLog = newId();
    const links = Array.from({ length: 500 }, (_, index) => ({
      kind: 'CAMPAIGN' as const,
      campaignLog,
      message: newId(),
      url: `https://example.com/${index}`,
    }));
    const codes = await createLinks(app.deps.db, app.accountId, links);
    assert.equal(new Set(codes).size, 500);
    for (const place of [0, 499]) {
      const { message, url } = links[place]!;
      const row = await findLinkAnyAccount(app.deps.db, codes[place]!);
      assert.deepEqual(
        [row?.account_id, row?.kind, row?.campaign_log, row?.message, row?.url, row?.chat_intro],
        [app.accountId, 'CAMPAIGN', campaignLog, message, url, null],
      );
    }
  });

  it('draws again for codes that are taken, and for two equal ones in one draw', async () => {
    const [taken] = await createLinks(app.deps.db, app.accountId, [{ kind: 'INTRO', chatIntro: newId() }]);
    const draws = [taken!, 'same222222', 'same222222', 'free222222', 'free333333'];
    const links = [newId(), newId(), newId()].map((chatIntro) => ({ kind: 'INTRO' as const, chatIntro }));
    const codes = await createLinks(app.deps.db, app.accountId, links, () => draws.shift()!);
    assert.equal(new Set(codes).size, 3);
    const rows = await Promise.all(codes.map((code) => findLinkAnyAccount(app.deps.db, code)));
    assert.deepEqual(
      rows.map((row) => row?.chat_intro),
      links.map((link) => link.chatIntro),
    );
    assert.deepEqual([...codes].sort(), ['free222222', 'free333333', 'same222222']);
  });

  it('gives up rather than trying for ever', async () => {
    const [taken] = await createLinks(app.deps.db, app.accountId, [{ kind: 'INTRO', chatIntro: newId() }]);
    const again = createLinks(app.deps.db, app.accountId, [{ kind: 'INTRO', chatIntro: newId() }], () => taken!);
    await assert.rejects(again, /No free short codes/);
  });

  it('knows no link of an unknown code', async () => {
    assert.equal(await findLinkAnyAccount(app.deps.db, 'unknown222'), undefined);
  });
});
