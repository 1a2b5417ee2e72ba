import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { decode, encode, makePdu, makeSplitter, type Pdu } from '../../src/carriers/smpp/codec/index.ts';
import { openSession } from '../../src/carriers/smpp/session/connect.ts';
import { type Figure, quantile, type Run } from '../figures.ts';
import { type Child, hasEnded, startChild } from '../kit/processes.ts';
import { root } from '../kit/server.ts';

const windows = [10, 100];
const message = {
  source_addr_ton: 5,
  source_addr: 'Parley',
  dest_addr_ton: 1,
  dest_addr_npi: 1,
  destination_addr: '34600111222',
  registered_delivery: 1,
  short_message: Buffer.alloc(100, 'a'),
};

/**
 * The codec by itself, and submit_sm from our session to our session in another process. The reference of those sends octets that
 * were made beforehand and answers with the same: what sockets and the framing alone cost.
 */
export async function smpp({ scope, quick, progress }: Run): Promise<Figure[]> {
  const figures = codecFigures(quick ? 50_000 : 500_000);
  const centre = startChild(scope, [process.execPath, 'bench/sms/smpp-centre.ts'], { cwd: root });
  const [port, barePort] = await portsOf(centre);
  const messages = quick ? 20_000 : 200_000;
  for (const window of windows) {
    await submitBare(barePort!, window, messages / 10);
    const reference = await submitBare(barePort!, window, messages);
    await submitOurs(port!, window, messages / 10);
    const { perSecond: figure, latenciesMs } = await submitOurs(port!, window, messages);
    progress(`window ${window}: ${Math.round(figure)} messages/s, bare ${Math.round(reference)}`);
    figures.push({
      row: 'smpp',
      what: `${messages} submit_sm of 100 octets, two processes, window ${window}`,
      figure,
      unit: 'messages/s',
      reference: { what: 'prepared octets', figure: reference },
      ratio: figure / reference,
      p50Ms: quantile(latenciesMs, 0.5),
      p99Ms: quantile(latenciesMs, 0.99),
    });
  }
  return figures;
}

function codecFigures(times: number): Figure[] {
  const tlvs = { receipted_message_id: '1234567', message_state: 2 };
  const pdus: Record<string, Pdu> = {
    'a submit_sm of 100 octets': makePdu('submit_sm', message),
    'a receipt with two parameters': makePdu('deliver_sm', { ...message, esm_class: 4, tlvs }),
    'a submit_sm_resp': makePdu('submit_sm_resp', { message_id: '1234567' }),
  };
  return Object.entries(pdus).map(([what, pdu]) => {
    roundTrips(pdu, times / 5);
    return {
      row: 'smpp',
      what: `${what}, written and read back`,
      figure: times / roundTrips(pdu, times),
      unit: 'PDUs/s',
    };
  });
}

/** Seconds. */
function roundTrips(pdu: Pdu, times: number): number {
  const startedMs = performance.now();
  for (let sequence = 1; sequence <= times; sequence++) {
    const back = decode(encode({ ...pdu, sequence }));
    if (back.sequence !== sequence) throw new Error('It did not come back the same');
  }
  return (performance.now() - startedMs) / 1000;
}

async function portsOf(child: Child): Promise<number[]> {
  for (;;) {
    const ports = /PORTS (\d+) (\d+)/.exec(child.lastWords());
    if (ports) return ports.slice(1).map(Number);
    if (hasEnded(child)) throw new Error(`The centre ended: ${child.lastWords()}`);
    await sleep(10);
  }
}

async function submitOurs(port: number, window: number, messages: number) {
  const peer = { host: '127.0.0.1', port, systemId: 'bench', password: 'bench' };
  const session = await openSession(peer, 'transceiver', { window, handles: [], handle: async () => undefined });
  const latenciesMs: number[] = [];
  let left = messages;
  const startedMs = performance.now();
  const keepSending = async (): Promise<void> => {
    while (left-- > 0) {
      const sentMs = performance.now();
      const { status } = await session.request('submit_sm', message);
      if (status !== 0) throw new Error(`Refused with ${status}`);
      latenciesMs.push(performance.now() - sentMs);
    }
  };
  await Promise.all(Array.from({ length: window }, keepSending));
  const perSecond = (messages / (performance.now() - startedMs)) * 1000;
  await session.unbind();
  return { perSecond, latenciesMs };
}

async function submitBare(port: number, window: number, messages: number): Promise<number> {
  const socket = net.connect(port, '127.0.0.1').setNoDelay(true);
  await once(socket, 'connect');
  const splitter = makeSplitter();
  const octets = encode(makePdu('submit_sm', message));
  let sent = 0;
  let answered = 0;
  const send = (count: number): void => {
    const batch = Array.from({ length: Math.min(count, messages - sent) }, () => {
      const copy = Buffer.from(octets);
      copy.writeUInt32BE(++sent, 12);
      return copy;
    });
    if (batch.length > 0) socket.write(Buffer.concat(batch));
  };
  const startedMs = performance.now();
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.on('data', (piece: Buffer) => {
      const { length } = splitter.push(piece);
      answered += length;
      if (answered >= messages) resolve();
      else send(length);
    });
    send(window);
  });
  socket.destroy();
  return (messages / (performance.now() - startedMs)) * 1000;
}
