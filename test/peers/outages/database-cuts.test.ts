// Connections to PostgreSQL are cut at every kind of statement: nothing is lost, sent twice, or left in the hand of nobody.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../kit/until.ts';
import { type Stage, startStage } from './database-load.ts';
import type { Moment } from './database-proxy.ts';

/** `PARLEY_CUTS=all` cuts at the first three of every kind that there is, and takes a quarter of an hour or more. */
const isLong = process.env['PARLEY_CUTS'] === 'all';
/** On a busy machine the others have to wait for the long run. */
const mostMs = isLong ? Number.POSITIVE_INFINITY : 30_000;
/** Fewer would show little, however long that takes. */
const enough = 5;
/** Where most was lost: they come first. */
const first = [
  'messages.claim',
  'sms.claim',
  'sandbox.take',
  'sms.accept-fast-path',
  'commit',
  'sms.take-in-hand',
  'sms.take',
];
/** Those of the way from being accepted to being read. The others are housekeeping, and much like each other. */
const worthwhile = /^begin$|message|sms|sandbox|events|idempoten|chatapp_accounts|optout|webhook/;
const moments: Moment[] = ['after', 'before'];

describe('a connection that is cut', () => {
  let stage: Stage;
  before(async () => {
    stage = await startStage();
    await stage.send();
    await stage.settle();
  });
  after(() => stage.close());

  it('at any kind of statement, before or after it is carried out, costs nothing that was accepted', async (t) => {
    const seen = stage.proxy.kinds().filter((kind) => isLong || worthwhile.test(kind));
    const kinds = [...new Set([...first, ...seen])];
    const startedMs = performance.now();
    let cuts = 0;
    /** Statements of the start, and of what nobody does here: they do not come a second time either. */
    const missing = new Set<string>();
    for (const nth of isLong ? [1, 2, 3] : [1]) {
      for (const kind of kinds) {
        for (const moment of moments) {
          if (cuts > enough && performance.now() - startedMs > mostMs) break;
          if (missing.has(kind)) continue;
          let isCut = false;
          const cut = stage.proxy.cut({ kind, moment, nth }).then(() => {
            isCut = true;
            cuts++;
          });
          for (let tries = 0; tries < (isLong ? 10 : 2) && !isCut; tries++) {
            await stage.send();
            // What happens later, such as receipts and recovery, is cut there or not at all.
            await Promise.race([cut, sleep(isLong ? 300 : 50)]);
          }
          stage.proxy.spare();
          if (!isCut && nth === 1) missing.add(kind);
        }
      }
    }
    t.diagnostic(`${cuts} cuts at ${kinds.length} kinds of statements; answers ${JSON.stringify([...stage.answers])}`);
    assert.ok(cuts > enough, 'some were cut at');
    await stage.settle();
  });

  it('as a request is committed is answered 503 unknown_outcome, and its repetition by the first answer', async () => {
    const body = (to: string) => ({ from: '+447700900900', to, text: 'Hello' });
    let isCut = false;
    const cutNext = () => {
      isCut = false;
      void stage.proxy.cut({ kind: 'commit', moment: 'after', nth: 1 }).then(() => {
        isCut = true;
      });
    };
    cutNext();
    // Whose commit comes first is a matter of luck: others of this process commit, too.
    let unknown: { to: string; key: string } | undefined;
    for (let index = 0; !unknown; index++) {
      const to = `+4478${String(10_000_000 + index)}`;
      const key = `commit-${index}`;
      const { status, body: answer } = await stage.ask('POST', '/v2/send-sms/', body(to), key);
      if (status === 503) {
        assert.equal(answer.code, 'unknown_outcome');
        assert.match(answer.detail, /Repeat it with the same Idempotency-Key/);
        unknown = { to, key };
      } else {
        assert.equal(status, 201, JSON.stringify(answer));
        if (isCut) cutNext();
      }
    }
    const again = await stage.ask('POST', '/v2/send-sms/', body(unknown.to), unknown.key);
    assert.equal(again.status, 201);
    const rows = await stage.query(`select uuid from sms where to_number = '${unknown.to}'`);
    assert.deepEqual(rows, [{ uuid: again.body.uuid }]);
  });

  it('as a single statement accepts something is answered the same', async () => {
    const kinds = stage.proxy.kinds();
    const kind = kinds.includes('sms.accept-fast-path') ? 'sms.accept-fast-path' : 'sms.accept';
    for (const moment of moments) {
      void stage.proxy.cut({ kind, moment, nth: 1 });
      const body = { from: '+447700900900', to: moment === 'after' ? '+447820000001' : '+447820000002', text: 'Hello' };
      const { status, body: answer } = await stage.ask('POST', '/v2/send-sms/', body);
      assert.deepEqual([status, answer.code], [503, 'unknown_outcome']);
    }
    await stage.settle();
    const rows = await stage.query(`select to_number from sms where to_number like '+4478200%'`);
    assert.deepEqual(rows, [{ to_number: '+447820000001' }], 'the one that had been carried out');
  });

  it('as something is read is answered 503 unavailable', async () => {
    const before = new Set(stage.proxy.kinds());
    await stage.ask('GET', '/v2/sms-records/');
    const reading = stage.proxy.kinds().filter((kind) => !before.has(kind) && kind.includes('sms'));
    void stage.proxy.cut({ kind: reading[0]!, moment: 'before', nth: 1 });
    const { status, body } = await stage.ask('GET', '/v2/sms-records/');
    assert.deepEqual([status, body.code], [503, 'unavailable']);
  });

  it('as a call is taken up to be dialled gives the call back: it is dialled, once', async () => {
    const dialled = async (): Promise<{ uuid: string }> => {
      const body = { from: '+447700900001', to: '+447700900002', tts: 'Hello' };
      const call = await stage.ask('POST', '/v2/voice/calls/', body);
      assert.equal(call.status, 201, JSON.stringify(call.body));
      return call.body;
    };
    const ended = async ({ uuid }: { uuid: string }) => {
      const { body } = await until(
        () => stage.ask('GET', `/v2/voice/calls/${uuid}/`),
        ({ status, body }) => status === 200 && body.status === 'ENDED',
      );
      return body;
    };
    await ended(await dialled());
    const claiming = stage.proxy.kinds().find((kind) => kind.startsWith('update calls_under_way set claimed_by'));
    // Carried out, and nobody heard of it; never carried out; claimed, and the next statement fails.
    for (const [kind, moment] of [
      [claiming!, 'after'],
      [claiming!, 'before'],
      ['select * from "calls" where "account_id" = $1 and "uuid" = $2', 'before'],
    ] as const) {
      const cut = stage.proxy.cut({ kind, moment, nth: 1 });
      const call = await dialled();
      await cut;
      const { result, description } = await ended(call);
      assert.equal(result, 'ANSWERED', `${moment} ${kind}: ${description}`);
      const told = await stage.query(
        `select kind from events where subject = '${call.uuid}' and kind = 'call.started'`,
      );
      assert.equal(told.length, 1, 'nobody was rung twice');
    }
  });
});
