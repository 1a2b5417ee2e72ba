// Messages with what no database, and no terminal, takes: refused by SIP itself, or cleaned before they are stored.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { TestApp } from '../../kit/app.ts';
import { until } from '../../kit/until.ts';
import { create, fieldOf, listening, openPhone, type Phone, request, sdp, startSipApp } from './peer.ts';

const number = '+441614960000';
const uri = `sip:${number}@127.0.0.1`;

describe('odd SIP messages', { timeout: 1_800_000 }, () => {
  let app: TestApp;
  let port: number;
  let carrier: Phone;
  const endings: (() => void)[] = [];
  before(async () => {
    app = await startSipApp();
    carrier = await openPhone({ after: (done) => endings.push(done as () => void) }, '127.0.0.2');
    await create(app, '/v2/sip-trunks/', { name: 'Carrier', host: carrier.address, port: carrier.port });
    port = await listening(app);
  });
  after(async () => {
    await app.close();
    for (const end of endings) end();
  });

  /** The answer to an INVITE from the trunk; found by its CSeq, which nothing here makes odd. */
  let cseq = 100;
  async function invite(
    said: Parameters<typeof request>[1] = {},
    change = (text: string): Buffer => Buffer.from(text),
  ) {
    const body = sdp(carrier.address, carrier.rtp.port);
    const text = request(carrier, { uri, body, ...said, cseq: ++cseq });
    await carrier.send(change(text), { port });
    const answered = await carrier.next(new RegExp(`^SIP/2.0 [2-6][^]*CSeq: ${cseq} INVITE`));
    return { status: Number(answered.slice(8, 11)), callId: fieldOf(text, 'Call-ID') };
  }
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape, asserted below
  const calls = async (): Promise<any[]> => (await app.call('GET', '/v2/voice/calls/?page_size=100')).body.results;

  for (const [name, said] of Object.entries({
    'a NUL in Call-ID': { callId: 'one\0two' },
    'white space in Call-ID': { callId: 'one two' },
    'a Call-ID of 300 characters': { callId: 'x'.repeat(300) },
    'an escape sequence in From': { from: '"\x1b[2J" <sip:+447700900111@127.0.0.2>;tag=1' },
    'a NUL in a tag': { from: '<sip:+447700900111@127.0.0.2>;tag=1\x002' },
    'a NUL in User-Agent': { headers: { 'User-Agent': 'a\0b' } },
    'a NUL in the address that is called': { uri: 'sip:+4416\0@127.0.0.1' },
  })) {
    it(`${name}: 400, and no call`, async () => {
      const before = (await calls()).length;
      assert.equal((await invite(said)).status, 400);
      assert.equal((await calls()).length, before);
    });
  }

  it('octets that are no UTF-8 in Call-ID: 400', async () => {
    const change = (text: string): Buffer => Buffer.from(text.replace('Call-ID: ', 'Call-ID: \xff\xfe'), 'latin1');
    assert.equal((await invite({}, change)).status, 400);
  });

  for (const [name, from, shown] of [
    ['an escaped NUL', '<sip:+44770%00900111@127.0.0.2>;tag=1', '+44770 900111'],
    ['a quoted pair of NUL in the name', '"N\\\0L" <sip:+447700900112@127.0.0.2>;tag=1', '+447700900112'],
    ['half a character, escaped', '<sip:+447700%ED%A0%80900113@127.0.0.2>;tag=1', undefined],
    ['five thousand digits', `<sip:+${'7'.repeat(5_000)}@127.0.0.2>;tag=1`, `+${'7'.repeat(99)}`],
  ] as const) {
    it(`a caller with ${name} is stored so that it can be read`, async () => {
      // 404: nobody has this number, of which there is a record.
      const { status, callId } = await invite({ from });
      assert.ok(status === 404 || (shown === undefined && status === 400), String(status));
      if (status === 400) return;
      const call = await until('there is a record', async () => {
        const rows = await app.deps.db.selectFrom('calls').selectAll().where('carrier_call_id', '=', callId).execute();
        return rows[0];
      });
      if (shown !== undefined) assert.equal(call.from_number, shown);
      assert.ok((await calls()).some(({ uuid }) => uuid === call.uuid));
    });
  }
});
