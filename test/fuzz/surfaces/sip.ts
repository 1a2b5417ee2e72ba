import dgram from 'node:dgram';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { invalid } from '../../../src/carriers/sip/signalling/message/torture/invalid.ts';
import { octetsOf } from '../../../src/carriers/sip/signalling/message/torture/notation.ts';
import { semantics } from '../../../src/carriers/sip/signalling/message/torture/semantics.ts';
import { valid } from '../../../src/carriers/sip/signalling/message/torture/valid.ts';
import { mutate, type Random } from '../random.ts';
import type { Surface } from '../surface.ts';
import type { Target } from '../target.ts';

const torture = [...valid, ...invalid, ...semantics].map(({ text }) => octetsOf(text));
/** The carrier of the trunk, whose messages are let in, and somebody else. */
const places = ['127.0.0.1', '127.0.0.9'];

/** SIP over UDP and TCP: messages of RFC 4475 and of ordinary calls, with a few octets changed. Nothing has to be answered. */
export async function sipSurface(target: Target): Promise<Surface> {
  await target.must('POST', '/v2/sip-trunks/', { name: 'fuzz', host: '127.0.0.1', port: 5999 });
  // Fictional numbers are sold to who tries things out, and everything here does.
  await target.must('PATCH', '/v2/account/', { sandbox: 'adopt' });
  const { number } = await target.must('POST', '/v2/number/', { country_code: 'GB', target_number: '+447700900123' });
  const sockets = await Promise.all(places.map(openUdp));
  return {
    name: 'sip',
    concurrency: 2,
    async attack(random) {
      const plain = random.chance(0.3) ? random.pick(torture) : messageOf(random, target.sipPort, number);
      const octets = random.chance(0.1) ? plain : mutate(random, plain);
      if (random.chance(0.1)) await sendTcp(target.sipPort, octets);
      else await sendUdp(random.pick(sockets), target.sipPort, octets);
      // A datagram is sent in microseconds: not so fast that the kernel drops most of them.
      await sleep(2);
      return undefined;
    },
    close() {
      for (const socket of sockets) socket.close();
    },
  };
}

async function openUdp(address: string): Promise<dgram.Socket> {
  const socket = dgram.createSocket('udp4');
  socket.on('error', () => {});
  await new Promise<void>((resolve) => socket.bind(0, address, resolve));
  return socket;
}

const sendUdp = (socket: dgram.Socket, port: number, octets: Buffer): Promise<void> =>
  new Promise((resolve) => socket.send(octets, port, '127.0.0.1', () => resolve()));

function sendTcp(port: number, octets: Buffer): Promise<void> {
  return new Promise((resolve) => {
    const socket = net.connect({ port, host: '127.0.0.1' }, () => socket.end(octets));
    socket.setTimeout(200, () => socket.destroy());
    socket.on('data', () => {});
    socket.on('error', () => {});
    socket.on('close', () => resolve());
  });
}

const methods = [
  'INVITE',
  'INVITE',
  'INVITE',
  'ACK',
  'BYE',
  'CANCEL',
  'OPTIONS',
  'REGISTER',
  'UPDATE',
  'INFO',
  'PRACK',
];

function messageOf(random: Random, port: number, number: string): Buffer {
  const method = random.pick(methods);
  const call = `call-${random.below(200)}@fuzz`;
  const sdp = [
    'v=0',
    'o=- 1 1 IN IP4 127.0.0.1',
    's=-',
    `c=IN IP4 ${random.pick(['127.0.0.1', '127.0.0.1', '0.0.0.0', '169.254.169.254', 'fuzz.example'])}`,
    't=0 0',
    `m=audio ${random.pick([40_000, 40_000, 0, 53, 70_000])} RTP/AVP 8 0 101`,
    'a=rtpmap:101 telephone-event/8000',
    '',
  ].join('\r\n');
  const body = method === 'INVITE' || random.chance(0.1) ? sdp : '';
  const lines = [
    `${method} sip:${number}@127.0.0.1:${port} SIP/2.0`,
    `Via: SIP/2.0/UDP 127.0.0.1:5999;branch=z9hG4bK${random.below(1_000_000)};rport`,
    'Max-Forwards: 70',
    `From: "Fuzz" <sip:+447700900777@127.0.0.1>;tag=f${random.below(200)}`,
    `To: <sip:${number}@127.0.0.1>${random.chance(0.3) ? ';tag=abc' : ''}`,
    `Call-ID: ${call}`,
    `CSeq: ${1 + random.below(5)} ${method}`,
    `Contact: <sip:fuzz@${random.pick(['127.0.0.1:5999', '169.254.169.254', 'fuzz.example'])}>`,
    ...(random.chance(0.2) ? ['Record-Route: <sip:127.0.0.1:1;transport=tcp;lr>'] : []),
    ...(random.chance(0.2) ? ['Authorization: Digest username="a", realm="b", nonce="c", uri="d", response="e"'] : []),
    ...(body ? ['Content-Type: application/sdp'] : []),
    `Content-Length: ${body.length}`,
    '',
    body,
  ];
  return Buffer.from(lines.join('\r\n'));
}
