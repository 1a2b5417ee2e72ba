// The messages of RFC 4475, as its appendix has them, each by the name it has there.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { fromOf, listOf, parseVia, toOf } from './fields.ts';
import { header, type SipRequest } from './message.ts';
import { parse } from './parse.ts';
import { makeNet, startRawPeer, startTestAgent } from './testing.ts';
import { parseUri } from './uri.ts';

const read = (name: string): Promise<Buffer> => readFile(new URL(`rfc4475/${name}.sip`, import.meta.url));

async function good(name: string): Promise<SipRequest> {
  const parsed = parse(await read(name));
  assert.equal(parsed.kind, 'message', JSON.stringify(parsed));
  return parsed.kind === 'message' ? (parsed.message as SipRequest) : assert.fail();
}

describe('RFC 4475 › messages that are unusual, and right', () => {
  const valid = [
    'wsinv',
    'intmeth',
    'esc01',
    'escnull',
    'esc02',
    'lwsdisp',
    'longreq',
    'dblreq',
    'semiuri',
    'transports',
  ];
  for (const name of [...valid, 'mpart01', 'unreason', 'noreason', 'inv2543', 'cparam01', 'cparam02', 'regescrt']) {
    it(`${name} is read`, async () => void (await good(name)));
  }

  it('wsinv: white space, folded lines and compact forms mean nothing', async () => {
    const message = await good('wsinv');
    assert.equal(toOf(message).params.get('tag'), '1918181833n');
    assert.equal(fromOf(message).display, 'J Rosenberg \\"');
    assert.deepEqual(
      listOf(message, 'via').map((via) => parseVia(via).params.get('branch')),
      ['390skdjuw', 'z9hG4bK9ikj8', 'z9hG4bK30239'],
    );
    assert.equal(message.body.length, 150);
  });

  it('intmeth: odd characters stay what they are', async () => {
    const message = await good('intmeth');
    assert.equal(message.method, "!interesting-Method0123456789_*+`.%indeed'~");
    assert.equal(toOf(message).display, 'BEL:\x07 NUL:\x00 DEL:\x7f');
    assert.equal(parseUri(message.uri).host, 'example.com');
  });

  it('esc01, semiuri: what is escaped is one user', async () => {
    assert.equal(parseUri((await good('esc01')).uri).user, 'sips:user@example.com');
    assert.equal(parseUri((await good('semiuri')).uri).user, 'user;par=u@example.net');
  });

  it('dblreq: what follows a message in its datagram is not part of it', async () => {
    const message = await good('dblreq');
    assert.equal(message.method, 'REGISTER');
    assert.equal(message.body.length, 0);
  });
});

describe('RFC 4475 › messages that are wrong', () => {
  const refused: Record<string, number> = {
    badinv01: 400,
    clerr: 400,
    ncl: 400,
    scalar02: 400,
    quotbal: 400,
    ltgtruri: 400,
    lwsruri: 400,
    lwsstart: 400,
    regbadct: 400,
    badvers: 505,
    mismatch01: 400,
    mismatch02: 400,
    insuf: 400,
    multi01: 400,
    mcl01: 400,
  };
  for (const [name, status] of Object.entries(refused)) {
    it(`${name} is answered with ${status}`, async () => {
      const parsed = parse(await read(name));
      assert.equal(parsed.kind, 'bad');
      assert.equal(parsed.kind === 'bad' && parsed.status, status);
    });
  }
  for (const name of ['scalarlg', 'bigcode']) {
    it(`${name} is an answer, and dropped`, async () => {
      const parsed = parse(await read(name));
      assert.equal(parsed.kind, 'bad');
      assert.equal(parsed.kind === 'bad' && parsed.status, undefined);
    });
  }
  // RFC 4475 leaves it to us whether these are refused or understood.
  for (const name of ['trws', 'escruri', 'baddate', 'badaspec', 'baddn']) {
    it(`${name} is understood all the same`, async () => void (await good(name)));
  }
});

describe('RFC 4475 › what a user agent makes of them', () => {
  async function answerTo(name: string): Promise<{ status: number; unsupported: string | undefined }> {
    const net = makeNet();
    const agent = await startTestAgent(net, {
      onInvite: (_request, transaction) => transaction.respond(busy(_request)),
    });
    const peer = startRawPeer(net, '192.0.2.2');
    peer.sendText(await read(name));
    await net.timing.advance(10);
    await agent.close();
    const [answer] = peer.heard;
    if (answer?.kind !== 'response') return assert.fail('no answer');
    return { status: answer.status, unsupported: header(answer, 'unsupported') };
  }
  const busy = (request: SipRequest) => ({
    kind: 'response' as const,
    status: 486,
    reason: 'Busy',
    headers: request.headers,
    body: Buffer.alloc(0),
  });

  const expected: Record<string, number> = {
    unkscm: 416,
    novelsc: 416,
    bext01: 420,
    zeromf: 200,
    sdp01: 406,
    regaut01: 405,
    inv2543: 486,
    badbranch: 200,
    intmeth: 501,
  };
  for (const [name, status] of Object.entries(expected)) {
    it(`${name}: ${status}`, async () => assert.equal((await answerTo(name)).status, status));
  }
  it('bext01 names what we do not know', async () =>
    assert.match((await answerTo('bext01')).unsupported ?? '', /nothingSupportsThis/));
  it('bcast: an answer to nothing of ours is dropped', async () => {
    const net = makeNet();
    const agent = await startTestAgent(net);
    const peer = startRawPeer(net);
    peer.sendText(await read('bcast'));
    await net.timing.advance(10);
    assert.deepEqual(peer.heard, []);
    await agent.close();
  });
});
