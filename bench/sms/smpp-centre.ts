// A centre that takes everything, for the row smpp: on the first port with our session, on the second with prepared octets.
import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';
import { encode, makePdu, makeSplitter } from '../../src/carriers/smpp/codec/index.ts';
import { makeSession } from '../../src/carriers/smpp/session/session.ts';

let taken = 1_000_000;

const ours = net.createServer((socket) => {
  socket.setNoDelay(true);
  makeSession(socket, {
    hands: 1_000,
    handles: ['bind_transceiver', 'submit_sm'],
    handle: async ({ command }) => (command === 'submit_sm' ? { message_id: String(taken++) } : { system_id: 'bench' }),
  });
});

/** The same answer to whatever comes, with its sequence number, all of one piece at once. */
const prepared = encode(makePdu('submit_sm_resp', { message_id: '1000000' }));
const bare = net.createServer((socket: Socket) => {
  const splitter = makeSplitter();
  socket.setNoDelay(true).on('error', () => {});
  socket.on('data', (piece: Buffer) => {
    const answers = (splitter.push(piece) as Buffer[]).map((frame) => {
      const answer = Buffer.from(prepared);
      frame.copy(answer, 12, 12, 16);
      return answer;
    });
    socket.write(Buffer.concat(answers));
  });
});

const ports: number[] = [];
for (const server of [ours, bare]) {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  ports.push((server.address() as AddressInfo).port);
}
console.log(`PORTS ${ports.join(' ')}`);
process.once('SIGTERM', () => process.exit(0));
