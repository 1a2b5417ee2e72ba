import assert from 'node:assert/strict';
import dgram from 'node:dgram';
import { once } from 'node:events';
import net from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../../../../test/kit/until.ts';
import { everyNetwork } from '../../../../platform/networks.ts';
import { makeGuard } from '../../../../platform/outbound/guard.ts';
import { type Agent, startAgent } from '../agent.ts';
import { ask } from '../dialogs/ask.ts';
import { headersOf, makeResponse, noBody, type SipRequest } from '../message/message.ts';
import { serialise } from '../message/serialise.ts';

const host = '127.0.0.1';
let agent: Agent;
before(async () => {
  agent = await startAgent<string>({
    host,
    port: 0,
    publicAddress: '',
    guard: makeGuard(everyNetwork),
    admit: () => ({ kind: 'admitted', caller: 'anybody' }),
    onInvite: (request, transaction) => transaction.respond(makeResponse(request, 486, { toTag: 'busy' })),
    onError: (error) => assert.fail(error as Error),
  });
});
after(() => agent.close());

let branch = 0;
const options = (via: string, extra = ''): string =>
  `OPTIONS sip:${host} SIP/2.0\r\nVia: SIP/2.0/${via};branch=z9hG4bKw${branch++}\r\nFrom: <sip:a@b>;tag=1\r\nTo: <sip:b@b>\r\nCall-ID: ${branch}\r\nCSeq: 1 OPTIONS\r\n${extra}Content-Length: 0\r\n\r\n`;

describe('datagrams', () => {
  async function exchange(text: string, listenAt = 0): Promise<{ answer: string; port: number }> {
    const socket = dgram.createSocket('udp4');
    socket.bind(0, host);
    await once(socket, 'listening');
    const listener = dgram.createSocket('udp4');
    listener.bind(listenAt, host);
    await once(listener, 'listening');
    const heard = Promise.race([once(socket, 'message'), once(listener, 'message')]);
    socket.send(text.replaceAll('LISTENER', String(listener.address().port)), agent.port, host);
    const [octets] = (await heard) as [Buffer];
    const { port } = socket.address();
    socket.close();
    listener.close();
    return { answer: String(octets), port };
  }

  it('with rport are answered to where they came from, and told so', async () => {
    const { answer, port } = await exchange(options('UDP 10.9.8.7:5099;rport'));
    assert.match(answer, /^SIP\/2\.0 200 OK\r\n/);
    assert.match(answer, new RegExp(`Via: SIP/2.0/UDP 10.9.8.7:5099;rport=${port};branch=\\S+;received=127.0.0.1\r\n`));
  });

  it('without rport are answered to the port that their Via names', async () => {
    const { answer } = await exchange(options('UDP somewhere.example.com:LISTENER'));
    assert.match(answer, /received=127\.0\.0\.1/);
    assert.doesNotMatch(answer, /rport=/);
  });
});

describe('streams', () => {
  async function connect(): Promise<{ socket: net.Socket; text(): string }> {
    const socket = net.connect(agent.port, host);
    let text = '';
    socket.setEncoding('utf8').on('data', (piece) => (text += piece));
    socket.on('error', () => {});
    await once(socket, 'connect');
    return { socket, text: () => text };
  }

  it('several requests in one piece, and one in many, are answered by the same connection', async () => {
    const { socket, text } = await connect();
    socket.write(options('TCP 192.0.2.1:5099') + options('TCP 192.0.2.1:5099'));
    const slow = options('TCP 192.0.2.1:5099');
    for (const piece of slow.match(/[\s\S]{1,50}/g)!) {
      socket.write(piece);
      await sleep(1);
    }
    await until('three answers', () => text().match(/200 OK/g)?.length === 3);
    socket.destroy();
  });

  it('a ping gets its pong', async () => {
    const { socket, text } = await connect();
    socket.write('\r\n\r\n');
    await until('the pong', () => text() === '\r\n');
    socket.destroy();
  });

  it('a stream that cannot be followed is closed, and counted', async () => {
    const before = agent.counts.malformed;
    for (const rubbish of [
      'GET / HTTP/1.1\r\n\r\n',
      'x'.repeat(70_000),
      options('TCP a').replace('Content-Length: 0', 'Content-Length: 99999'),
    ]) {
      const { socket } = await connect();
      const closed = once(socket, 'close');
      socket.write(rubbish);
      await closed;
    }
    assert.equal(agent.counts.malformed, before + 3);
  });

  it('requests of ours reuse the connection, and open another when it is gone', async () => {
    const connections: net.Socket[] = [];
    const server = net.createServer((socket) => {
      connections.push(socket);
      socket.on('data', (octets) => {
        const lines = String(octets).split('\r\n');
        const copied = lines.filter((line) => /^(Via|From|To|Call-ID|CSeq):/.test(line));
        socket.write(`SIP/2.0 200 OK\r\n${copied.join('\r\n')}\r\nContent-Length: 0\r\n\r\n`);
      });
    });
    server.listen(0, host);
    await once(server, 'listening');
    const peer = { protocol: 'tcp' as const, address: host, port: (server.address() as net.AddressInfo).port };
    const local = await agent.addressing.localFor(peer);
    const request = (): SipRequest => {
      const headers = headersOf({
        from: '<sip:a@b>;tag=1',
        to: '<sip:c@d>',
        'call-id': 'x',
        cseq: `${branch++} OPTIONS`,
      });
      return { kind: 'request', method: 'OPTIONS', uri: 'sip:d', headers, body: noBody };
    };
    assert.equal((await ask(agent, request(), peer, local)).status, 200);
    assert.equal((await ask(agent, request(), peer, local)).status, 200);
    assert.equal(connections.length, 1);
    connections[0]!.end();
    await once(connections[0]!, 'close');
    // Until our side has heard of it, what is asked goes the way of the connection.
    const answer = await until(
      () => ask(agent, request(), peer, local),
      () => connections.length > 1,
    );
    assert.deepEqual([answer.status, connections.length], [200, 2]);
    for (const socket of connections) socket.destroy();
    server.close();
    assert.equal((await ask(agent, request(), { ...peer, port: 1 }, local)).status, 503, 'nobody listens');
    assert.ok(serialise(request()).length > 0);
  });
});
