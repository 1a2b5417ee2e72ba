import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import {
  type Connected,
  type Connector,
  makeConnector,
  startConnected,
} from '../../../test/kit/cloud-api/connector.ts';
import type { Outcome } from '../ports/chat.ts';

let platform: Connected;
/** Waits for no answer longer than half a second. */
let brief: Connector;
before(async () => {
  platform = await startConnected();
  brief = makeConnector({ url: platform.simulator.url, timeoutMs: 500 });
});
after(async () => {
  await platform.close();
  await brief.close();
});

/** The outcome of a message that the platform refuses with this code. */
async function refused(code: number, { status, attempt = 1 }: { status?: number; attempt?: number } = {}) {
  platform.simulator.faults.next(1, { kind: 'error', code, ...(status !== undefined && { status }) });
  return platform.send({ attempt });
}
const details = 'A fault of the simulator.';

describe('A message that the platform refuses', () => {
  it('is rejected with the code and the details, where trying again is of no use', async () => {
    const codes = [3, 10, 33, 100, 200, 368, 130472, 130497, 131005, 131008, 131009, 131021, 131026, 131030, 131031];
    codes.push(131037, 131042, 131045, 131047, 131049, 131050, 131051, 131053, 131062, 131063, 131064, 132000, 132001);
    codes.push(132005, 132007, 132008, 132012, 132015, 132016, 132018, 132068, 133010, 134011, 135000, 137000, 999999);
    for (const code of codes) {
      assert.deepEqual(await refused(code), { kind: 'rejected', code: String(code), description: details });
    }
  });

  it('is tried again where the platform is in trouble, whatever the status', async () => {
    for (const code of [1, 2, 131000, 131016, 132069, 133004]) {
      const expected = { kind: 'retry', description: `${details} (${code})` };
      assert.deepEqual(await refused(code), expected);
      assert.deepEqual(await refused(code, { status: 400 }), expected);
    }
    assert.equal((await refused(999999, { status: 500 })).kind, 'retry');
  });

  it('is not tried for ever where nobody knows what is wrong', async () => {
    for (const code of [1, 131000]) {
      assert.equal((await refused(code, { attempt: 4 })).kind, 'retry');
      assert.equal((await refused(code, { attempt: 5 })).kind, 'rejected');
    }
  });

  it('holds its sender back where it is about the sender', async () => {
    for (const code of [4, 80007, 130429, 131048, 131057]) {
      await platform.send({});
      const description = `${details} (${code})`;
      assert.deepEqual(await refused(code), { kind: 'retry', description, afterMs: 1_000, slowsSender: true });
    }
    await platform.send({});
    assert.deepEqual(await refused(999999, { status: 429 }), {
      kind: 'retry',
      description: `${details} (999999)`,
      afterMs: 1_000,
      slowsSender: true,
    });
  });

  it('waits 4^attempt seconds, and nobody else does, where it is about the person', async () => {
    const description = `${details} (131056)`;
    for (const status of [400, 429]) {
      for (const [attempt, afterMs] of [
        [1, 4_000],
        [3, 64_000],
        [9, 900_000],
      ] as const) {
        assert.deepEqual(await refused(131056, { status, attempt }), { kind: 'retry', description, afterMs });
      }
    }
  });

  it('waits for another token, and so does all else of the sender', async () => {
    const words = 'The platform does not take the access token of this sender.';
    const putOff = { kind: 'retry', afterMs: 30_000, slowsSender: true };
    for (const code of [0, 190])
      assert.deepEqual(await refused(code), { ...putOff, description: `${words} (${code})` });
    assert.equal(((await refused(999999, { status: 401 })) as { afterMs: number }).afterMs, 30_000);
    const { simulator } = platform;
    simulator.expireToken(simulator.token);
    assert.deepEqual(await platform.send({}), { ...putOff, description: `${words} (190)` });
    simulator.world.tokens.set(simulator.token, { expired: false });
    assert.equal((await platform.send({})).kind, 'accepted');
  });
});

describe('A message that gets no answer', () => {
  it('is unknown when it may have been received', async () => {
    for (const kind of ['reset', 'lost-answer'] as const) {
      platform.simulator.faults.next(1, { kind });
      assert.deepEqual(await platform.send({}), { kind: 'unknown', description: 'The connection broke.' }, kind);
    }
    platform.simulator.faults.next(1, { kind: 'hang' });
    assert.deepEqual(await brief.send({}), { kind: 'unknown', description: 'No answer within 0.5 seconds.' });
  });

  it('is accepted when the answer comes late but in time, unknown when it comes too late', async () => {
    platform.simulator.faults.next(1, { kind: 'late', delayMs: 200_000 });
    assert.equal((await platform.send({})).kind, 'accepted');
    platform.simulator.faults.next(1, { kind: 'late', delayMs: 4_000_000 });
    assert.equal((await brief.send({})).kind, 'unknown');
  });

  it('is tried again when nobody can have received it', async () => {
    const nobody = makeConnector({ url: 'http://127.0.0.1:1' });
    assert.deepEqual(await nobody.send({}), { kind: 'retry', description: 'The connection was refused.' });
    await nobody.close();
    const nowhere = makeConnector({ url: 'http://nowhere.invalid' });
    const outcome = await nowhere.send({});
    assert.equal(outcome.kind, 'retry', JSON.stringify(outcome));
    await nowhere.close();
  });
});

describe('A message that gets a strange answer', () => {
  /** The outcome when the other side answers so. */
  async function answered(listener: RequestListener): Promise<Outcome> {
    const server = createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const connector = makeConnector({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
    const outcome = await connector.send({});
    await connector.close();
    server.closeAllConnections();
    server.close();
    return outcome;
  }
  const json = (status: number, body: unknown, headers = {}) =>
    answered((_request, answer) => answer.writeHead(status, headers).end(JSON.stringify(body)));
  const error = (fields: object) => ({ error: { message: 'No.', code: 130429, ...fields } });

  it('is unknown after 200 without a usable id', async () => {
    for (const body of [{}, null, [], { messages: [] }, { messages: [{ id: 5 }] }, { messages: [{ id: 'a\0' }] }]) {
      assert.equal((await json(200, body)).kind, 'unknown', JSON.stringify(body));
    }
    assert.equal((await answered((_request, answer) => answer.end('<html>'))).kind, 'unknown');
  });

  it('is unknown when the answer breaks off', async () => {
    const outcome = await answered((_request, answer) => {
      answer.writeHead(200, { 'content-length': '100' }).write('{"messages":');
      setImmediate(() => answer.destroy());
    });
    assert.deepEqual(outcome, { kind: 'unknown', description: 'The connection broke.' });
  });

  it('is unknown after a failure without words, but for 503; what says no without words took nothing', async () => {
    for (const [status, kind] of [
      [500, 'unknown'],
      [502, 'unknown'],
      [504, 'unknown'],
      [503, 'retry'],
      [404, 'retry'],
    ] as const) {
      const description = `The platform answered with status ${status} and no reason.`;
      assert.deepEqual(await answered((_request, answer) => answer.writeHead(status).end()), { kind, description });
    }
    const tokenless = await answered((_request, answer) => answer.writeHead(401).end());
    assert.deepEqual(tokenless.kind === 'retry' && [tokenless.slowsSender, tokenless.afterMs], [true, 30_000]);
  });

  it('waits as long as it is asked to, an hour at most', async () => {
    const usage = (minutes: unknown) => ({
      'x-business-use-case-usage': JSON.stringify({ 1: [{ estimated_time_to_regain_access: minutes }] }),
    });
    const cases: [object, number][] = [
      [{ 'retry-after': '7' }, 7_000],
      [{ 'retry-after': 'Sun, 15 Nov 2026 00:00:00 GMT' }, 1_000],
      [{ 'retry-after': '99999999' }, 3_600_000],
      [usage(3), 180_000],
      [usage('soon'), 1_000],
      [{ 'x-business-use-case-usage': '{' }, 1_000],
      [{ 'x-business-use-case-usage': 'null' }, 1_000],
    ];
    for (const [headers, afterMs] of cases) {
      const outcome = await json(400, error({}), headers);
      assert.equal(outcome.kind === 'retry' && outcome.afterMs, afterMs, JSON.stringify(headers));
    }
    const silent = await answered((_request, answer) => answer.writeHead(429, { 'retry-after': '9' }).end());
    assert.deepEqual(silent.kind === 'retry' && [silent.slowsSender, silent.afterMs], [true, 9_000]);
  });

  it('is told in the platform’s words, wherever they stand, as far as they can be stored', async () => {
    const said = async (fields: object) => {
      const outcome = await json(400, error({ code: 100, ...fields }));
      return outcome.kind === 'rejected' && outcome.description;
    };
    assert.equal(await said({ error_data: { details: 'Why.' } }), 'Why.');
    assert.equal(await said({ error_data: 'A text.' }), 'A text.');
    assert.equal(await said({ error_user_msg: 'For people.' }), 'For people.');
    assert.equal(await said({}), 'No.');
    assert.equal(await said({ message: 5 }), 'The platform refused with status 400.');
    assert.equal(await said({ message: 'a\0b' }), 'a\uFFFDb');
    assert.equal(await said({ message: 'x'.repeat(5_000) }), 'x'.repeat(2_000));
  });
});
