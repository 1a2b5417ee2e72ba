import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type Connected, makeConnector, outbound, startConnected } from '../../../test/kit/cloud-api/connector.ts';

let nowMs = 0;
let platform: Connected;
beforeEach(async () => {
  nowMs = 1_790_000_000_000;
  platform = await startConnected({ clock: { now: () => new Date(nowMs) } });
  platform.simulator.world.numbers.get(platform.simulator.numberId)!.throughputPerSecond = 100_000;
});
afterEach(() => platform.close());

const phone = (at: number) => `+3460000${String(at).padStart(4, '0')}`;
const text = (body: string, toNumber: string) => outbound(platform.sender, { toNumber, content: { text: { body } } });
const afterMs = async () => {
  const outcome = await platform.send({});
  return outcome.kind === 'retry' ? outcome.afterMs : outcome.kind;
};
const tooFast = { kind: 'error', code: 130429 } as const;

describe('The Cloud API connector', () => {
  it('answers with one outcome per message, in their order', async () => {
    platform.simulator.person(phone(7)).behaves({ refuseCode: 131026 });
    const messages = Array.from({ length: 250 }, (_, at) => text(`${at}`, phone(at)));
    const outcomes = await platform.carrier.chat.send(platform.sender, messages);
    assert.equal(outcomes.length, 250);
    const idOf = new Map<string, string>();
    for (const { id, payload } of platform.simulator.world.messages.values()) {
      idOf.set(payload.biz_opaque_callback_data as string, id);
    }
    for (const [at, outcome] of outcomes.entries()) {
      if (at === 7) assert.equal(outcome.kind === 'rejected' && outcome.code, '131026');
      else assert.equal(outcome.kind === 'accepted' && outcome.carrierMessageId, idOf.get(messages[at]!.uuid));
    }
  });

  it('puts off what comes after a message that was put off, for that person only', async () => {
    platform.simulator.person(phone(1)).behaves({ refuseCode: 131056 });
    const messages = [text('a', phone(1)), text('b', phone(1)), text('c', phone(2))];
    const outcomes = await platform.carrier.chat.send(platform.sender, messages);
    assert.deepEqual(
      outcomes.map(({ kind }) => kind),
      ['retry', 'retry', 'accepted'],
    );
    assert.equal(platform.payloads().length, 2);
  });

  it('sends nothing more of a batch once it is told to slow down', async () => {
    platform.simulator.faults.random(1, tooFast);
    const messages = Array.from({ length: 500 }, (_, at) => text(`${at}`, phone(at)));
    const outcomes = await platform.carrier.chat.send(platform.sender, messages);
    const expected = {
      kind: 'retry',
      description: 'A fault of the simulator. (130429)',
      afterMs: 1_000,
      slowsSender: true,
    };
    assert.equal(outcomes.length, 500);
    for (const outcome of outcomes) assert.deepEqual(outcome, expected);
    assert.equal(platform.payloads().length, 100, 'those that were under way');
  });

  it('doubles the pause with every slow-down in a row, up to a minute, until something is taken', async () => {
    platform.simulator.faults.random(1, tooFast);
    const pauses: unknown[] = [];
    for (let times = 0; times < 8; times++) {
      pauses.push(await afterMs());
      nowMs += 60_000;
    }
    assert.deepEqual(
      pauses,
      [1, 2, 4, 8, 16, 32, 60, 60].map((seconds) => seconds * 1000),
    );
    platform.simulator.faults.clear();
    assert.equal(await afterMs(), 'accepted');
    platform.simulator.faults.next(1, tooFast);
    assert.equal(await afterMs(), 1_000);
  });

  it('counts slow-downs per sender', async () => {
    platform.simulator.faults.next(3, tooFast);
    await afterMs();
    nowMs += 60_000;
    assert.equal(await afterMs(), 2_000);
    const [other] = await platform.carrier.chat.send({ ...platform.sender, uuid: 'another' }, [text('x', phone(1))]);
    assert.equal(other?.kind === 'retry' && other.afterMs, 1_000);
  });

  it('cannot say what became of a message', async () => {
    assert.deepEqual(
      [...(await platform.carrier.chat.find('a', ['b', 'c']))],
      [
        ['b', 'unknown'],
        ['c', 'unknown'],
      ],
    );
  });

  it('writes no token into the log and into no outcome, not even when the platform quotes it', async () => {
    const secret = 'EAAG-very-secret';
    const server = createServer((_request, answer) => {
      const error = { message: `Malformed access token ${secret}`, code: 190, type: 'OAuthException' };
      answer.writeHead(401).end(JSON.stringify({ error }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const quoted = makeConnector({ url, settings: { access_token: secret, app_secret: secret, verify_token: secret } });
    const outcomes = [await quoted.send({}), await quoted.send({ type: 'TEMPLATE', content: {} })];
    server.closeAllConnections();
    server.close();
    outcomes.push(await quoted.send({}));
    const unusable = makeConnector({ url, settings: { access_token: `${secret}\n` } });
    outcomes.push(await unusable.send({}));
    assert.deepEqual(
      outcomes.map(({ kind }) => kind),
      ['retry', 'rejected', 'retry', 'retry'],
    );
    const logged = [...quoted.logged, ...unusable.logged].join('');
    assert.match(logged, /The Cloud API answered/);
    assert.match(logged, /The Cloud API did not answer/);
    assert.equal((logged + JSON.stringify(outcomes)).includes(secret), false);
    await Promise.all([quoted.close(), unusable.close()]);
  });
});
