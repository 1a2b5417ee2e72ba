import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { it } from 'node:test';
import { promisify } from 'node:util';
import { startSmsc } from '../../../../simulators/smsc/index.ts';
import { missingPeers } from '../../../../test/kit/peers.ts';
import { startForeign } from '../../../../test/kit/program/foreign.ts';
import { until } from '../../../../test/kit/until.ts';
import { openSession } from '../session/connect.ts';

/** Capturing needs rights that not every user has. */
const skip = missingPeers(['tshark', '-v'], ['dumpcap', '-q', '-i', 'lo', '-a', 'duration:1', '-w', '/dev/null']);

const unbindResp = 0x80000006;

it('tshark finds nothing malformed in what both our sides send', { skip }, async (t) => {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'parley-smpp-'));
  const smsc = await startSmsc({ settings: { receiptAfterMs: 1 } });
  const file = path.join(directory, 'lo.pcapng');
  const capture = startForeign('dumpcap', ['-i', 'lo', '-f', `tcp port ${smsc.port}`, '-w', file]);
  t.after(async () => {
    await capture.stop();
    await smsc.close();
    await rm(directory, { recursive: true, force: true });
  });
  await capture.says(/^File: /);
  await talk(smsc.port, () => smsc.write({ from: '+34600111222', to: '+34900111222', text: '😀'.repeat(50) }));

  const read = async (...args: string[]) => {
    const options = ['-r', file, '-d', `tcp.port==${smsc.port},smpp`, '-o', 'smpp.reassemble_smpp_over_tcp:TRUE'];
    const { stdout } = await promisify(execFile)('tshark', [...options, ...args]);
    return stdout;
  };
  // While it is being written the end of the file may be missing, and that is an error to tshark.
  const commandsSeen = () =>
    read('-Y', 'smpp', '-T', 'fields', '-e', 'smpp.command_id').then(
      (seen) => new Set(seen.split(/[\s,]+/).map(Number)),
      () => new Set<number>(),
    );
  await until(commandsSeen, (commands) => commands.has(unbindResp));
  await capture.stop();

  assert.equal(await read('-Y', '_ws.malformed'), '');
  const commands = await commandsSeen();
  for (const id of [9, 0x80000009, 4, 0x80000004, 5, 0x80000005, 3, 0x80000003, 8, 0x80000008, 0x103, 6, unbindResp])
    assert.ok(commands.has(id), `0x${id.toString(16)} was not seen in ${[...commands].join(' ')}`);
  const ids = await read('-Y', 'smpp.opt_param_tag == 0x001e', '-T', 'fields', '-e', 'smpp.receipted_message_id');
  assert.match(ids, /10000\d\d/);
});

/** Every command once, with and without a body, parameters known and unknown. */
async function talk(port: number, write: () => Promise<unknown>): Promise<void> {
  const received: unknown[] = [];
  const to = { host: '127.0.0.1', port, systemId: 'parley', password: 'parley' };
  const session = await openSession(to, 'transceiver', {
    handles: ['deliver_sm', 'data_sm'],
    handle: async (pdu) => void received.push(pdu),
  });
  const addresses = { source_addr_ton: 5, source_addr: 'Shop', dest_addr_ton: 1, dest_addr_npi: 1 };
  const submit = (more: object) => session.request('submit_sm', { ...addresses, ...more });
  const { message_id } = await submit({ destination_addr: '34600111222', registered_delivery: 1 });
  await submit({ destination_addr: '346009110', validity_period: '000000010000000R' });
  await submit({
    destination_addr: '34600111222',
    esm_class: 0x40,
    data_coding: 8,
    short_message: Buffer.from('0500032a020120ac', 'hex'),
    tlvs: { user_message_reference: 7, sar_msg_ref_num: 1, 5376: Buffer.from('ours') },
  });
  await submit({ destination_addr: '34600111222', tlvs: { message_payload: Buffer.alloc(2_000, 'a') } });
  const payload = { message_payload: Buffer.from('hi') };
  await session.request('data_sm', { ...addresses, destination_addr: '346001112223', tlvs: payload });
  await session.request('query_sm', { message_id });
  await session.request('query_sm', { message_id: 'none' });
  await session.request('cancel_sm', { message_id });
  await write();
  await until(() => received.length > 1);
  await session.unbind();
}
