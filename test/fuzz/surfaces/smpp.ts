import net, { type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  decode,
  encode,
  makePdu,
  makeSplitter,
  type Pdu,
  responseCommand,
} from '../../../src/carriers/smpp/codec/index.ts';
import { mutate, type Random } from '../random.ts';
import type { Surface } from '../surface.ts';
import type { Target } from '../target.ts';

/** A link that was given nonsense is opened again after a pause; meanwhile others are there. */
const links = 6;

/** An SMS centre that binds as it should and then sends PDUs with a few octets changed. Nothing has to be answered. */
export async function smppSurface(target: Target): Promise<Surface> {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => accept(socket, sockets));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  for (let link = 1; link <= links; link++) {
    const place = { host: '127.0.0.1', port, system_id: `fuzz${link}`, password: 'secret' };
    await target.must('POST', '/v2/sms-links/', { name: `fuzz ${link}`, carrier: 'smpp', ...place });
  }
  let sequence = 1;
  return {
    name: 'smpp',
    concurrency: 1,
    async attack(random) {
      const bound = [...sockets];
      if (bound.length > 0) {
        const octets = encode(pduOf(random, ++sequence));
        random.pick(bound).write(random.chance(0.2) ? octets : mutate(random, octets));
      }
      await sleep(bound.length > 0 ? 5 : 50);
      return undefined;
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Answers what it is asked, so that the link is up, and takes SMS. */
function accept(socket: net.Socket, bound: Set<net.Socket>): void {
  const splitter = makeSplitter();
  socket.on('error', () => {});
  socket.on('close', () => bound.delete(socket));
  socket.on('data', (piece) => {
    for (const frame of splitter.push(piece)) {
      if (!Buffer.isBuffer(frame)) return void socket.destroy();
      const pdu = decode(frame);
      const answer = responseCommand(pdu.command as never) as Pdu['command'] | undefined;
      if (!answer) continue;
      const names = /^(bind|submit)/.test(answer) ? { system_id: 'fuzz', message_id: String(pdu.sequence) } : {};
      socket.write(encode(makePdu(answer as never, { sequence: pdu.sequence, ...names } as never)));
      if (/^bind/.test(answer)) bound.add(socket);
    }
  });
}

const texts = [
  'STOP',
  'START',
  'HELP',
  'hello',
  'id:1 sub:001 dlvrd:001 submit date:9999 done date:0000 stat:DELIVRD err:000',
];

function pduOf(random: Random, sequence: number): Pdu {
  const command = random.pick([
    'deliver_sm',
    'deliver_sm',
    'deliver_sm',
    'enquire_link',
    'submit_sm_resp',
    'unbind_resp',
  ]);
  if (command !== 'deliver_sm') return makePdu(command as never, { sequence, message_id: 'x' } as never) as Pdu;
  return makePdu('deliver_sm', {
    sequence,
    source_addr: `4477009${String(random.below(100_000)).padStart(5, '0')}`,
    destination_addr: '447700900001',
    esm_class: random.pick([0, 4, 0x40, 0xff]),
    data_coding: random.pick([0, 3, 8, 0xf5, 0xff]),
    short_message: random.chance(0.2) ? random.bytes(random.below(200)) : Buffer.from(random.pick(texts)),
  } as never) as Pdu;
}
