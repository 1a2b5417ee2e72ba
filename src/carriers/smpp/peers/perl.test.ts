import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { missingPeers } from '../../../../test/kit/peers.ts';
import { type Foreign, startForeign } from '../../../../test/kit/program/foreign.ts';
import { until } from '../../../../test/kit/until.ts';
import type { PduOf } from '../codec/index.ts';
import { BindRefused } from '../errors.ts';
import { readReceipt } from '../messages/receipt.ts';
import { openSession } from '../session/connect.ts';
import type { Session } from '../session/session.ts';

const skip = missingPeers(['perl', '-MNet::SMPP', '-e', '1']);

describe("our session with a centre on Perl's Net::SMPP", { skip }, () => {
  let centre: Foreign;
  let port: number;
  let session: Session;
  const taken: PduOf<'deliver_sm'>[] = [];

  const open = (password: string) =>
    openSession({ host: '127.0.0.1', port, systemId: 'parley', password }, 'transceiver', {
      enquireLinkMs: 200,
      handles: ['deliver_sm'],
      handle: async (pdu) => void taken.push(pdu as PduOf<'deliver_sm'>),
    });
  const submit = (more: object) =>
    session.request('submit_sm', { source_addr: 'Shop', destination_addr: '34600111222', ...more });

  before(async () => {
    centre = startForeign('perl', [path.join(import.meta.dirname, 'smsc.pl')]);
    port = Number((await centre.says(/^port (\d+)$/))[1]);
    await assert.rejects(open('wrong'), (error) => error instanceof BindRefused && error.status === 0x0e);
    session = await open('secret');
  });
  after(async () => {
    session?.destroy('The test is over.');
    await centre.stop();
  });

  it('is bound as 3.4', async () => {
    await centre.says(/^bind parley secret 34$/);
  });

  it('hands over a message and its receipt', async () => {
    const { status, message_id } = await submit({ registered_delivery: 1, short_message: Buffer.from('hello') });
    assert.equal(status, 0);
    assert.match(message_id, /^5\d{3}$/);
    await centre.says(/^submit Shop 34600111222 0 0 1 68656c6c6f$/);
    await until(() => taken.length === 1);
    const receipt = readReceipt(taken.pop()!)!;
    assert.deepEqual([receipt.id, receipt.state, receipt.stat], [message_id, 'DELIVERED', 'DELIVRD']);
    await centre.says(/^answer 80000005 0$/);
  });

  it('hands over parts with a header and UCS-2, octet for octet', async () => {
    const body = Buffer.concat([Buffer.from([5, 0, 3, 42, 2, 1]), Buffer.from('20ac4f60', 'hex')]);
    await submit({ esm_class: 0x40, data_coding: 8, short_message: body });
    await centre.says(/^submit Shop 34600111222 64 8 0 0500032a020120ac4f60$/);
  });

  it('a receipt under the data_coding of a UCS-2 message is read all the same', async () => {
    const short_message = Buffer.from('4f60', 'hex');
    const { message_id } = await submit({ registered_delivery: 1, data_coding: 8, short_message });
    await until(() => taken.length === 1);
    assert.equal(taken[0]!.data_coding, 8);
    assert.equal(readReceipt(taken.pop()!)!.id, message_id);
  });

  it('hears what a person writes', async () => {
    await submit({ short_message: Buffer.from('MO') });
    await until(() => taken.length === 1);
    const { source_addr, destination_addr, short_message, data_coding } = taken.pop()!;
    assert.deepEqual([source_addr, destination_addr, data_coding], ['34600111222', 'Shop', 8]);
    assert.equal(Buffer.from(short_message).swap16().toString('utf16le'), '你好€');
  });

  it('asks whether the centre is there, and answers when asked', async () => {
    await submit({ short_message: Buffer.from('PING') });
    await centre.says(/^answer 80000015 0$/);
    await centre.says(/^enquired$/);
    assert.equal(session.state, 'bound');
  });

  it('a thousand messages are answered each with its own id', async () => {
    const answers = await Promise.all(
      Array.from({ length: 1_000 }, (_, index) => submit({ short_message: Buffer.from(`no. ${index}`) })),
    );
    assert.equal(new Set(answers.map(({ message_id }) => message_id)).size, 1_000);
    assert.deepEqual([session.strayAnswers, session.malformed], [0, 0]);
  });

  it('takes leave', async () => {
    await session.unbind();
    await centre.says(/^unbound$/);
    assert.equal(await session.closed, undefined);
  });
});
