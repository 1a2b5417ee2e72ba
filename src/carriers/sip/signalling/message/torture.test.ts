// The messages of RFC 4475, each by the name that it has there: what becomes of it when it reaches us from a peer that may call.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeNet, ourAddress, startTestAgent, testNegotiation } from '../../../../../test/kit/sip/raw-peer.ts';
import { takeCall } from '../dialogs/call-in.ts';
import type { OnOctets } from '../transport/wire.ts';
import { contactOf, fromOf, listOf, parseVia, toOf } from './fields.ts';
import type { SipRequest } from './message.ts';
import { parse } from './parse.ts';
import { invalid } from './torture/invalid.ts';
import { invalidMore } from './torture/invalid-more.ts';
import { octetsOf } from './torture/notation.ts';
import { semantics } from './torture/semantics.ts';
import { semanticsMore } from './torture/semantics-more.ts';
import { valid } from './torture/valid.ts';
import { validLong } from './torture/valid-long.ts';
import { parseUri } from './uri.ts';

const messages = [...valid, ...validLong, ...invalid, ...invalidMore, ...semantics, ...semanticsMore];

const octets = (name: string): Buffer => octetsOf(messages.find((message) => message.name === name)!.text);

/** Everything that we send when these octets come: as text, for what answers nonsense cannot always be read by our own parser. */
async function answersTo(given: Buffer): Promise<string[]> {
  const net = makeNet();
  const sent: string[] = [];
  let deliver: OnOctets | undefined;
  const agent = await startTestAgent(net, {
    onInvite(request, transaction) {
      const call = takeCall(agent, request, transaction, { onDigit: () => {}, onEnd: () => {} });
      call?.answer(testNegotiation(), { address: ourAddress, hostPort: `${ourAddress}:5060` });
    },
    open: async ({ onOctets }) => {
      deliver = onOctets;
      return { port: 5060, send: async (octets) => void sent.push(octets.toString()), close: async () => {} };
    },
  });
  deliver!(given, { protocol: 'udp', address: '192.0.2.2', port: 5060 });
  await net.timing.advance(10);
  await agent.close();
  return sent;
}

const isProvisional = (answer: string): boolean => /^SIP\/2\.0 1/.test(answer);

describe('RFC 4475 › what becomes of each message', () => {
  for (const { section, name, about, must, text } of messages) {
    it(`${section} ${name}: ${must} (${about})`, async () => {
      const answers = (await answersTo(octetsOf(text))).filter((answer) => !isProvisional(answer));
      const statuses = answers.map((answer) => Number(/^SIP\/2\.0 (\d{3}) /.exec(answer)?.[1]));
      assert.deepEqual(statuses, must === 'dropped' ? [] : [must]);
    });
  }

  it('are all there', () => {
    assert.equal(new Set(messages.map(({ name }) => name)).size, 49);
    assert.equal(new Set(messages.map(({ section }) => section)).size, 49);
  });

  it('intmeth: the 501 lists the methods that we have', async () =>
    assert.match((await answersTo(octets('intmeth')))[0]!, /\r\nAllow: INVITE, ACK, /i));
  it('bext01: the 420 names what we do not know, and not what is asked of proxies', async () =>
    assert.match(
      (await answersTo(octets('bext01')))[0]!,
      /\r\nUnsupported: nothingSupportsThis, nothingSupportsThisEither\r\n/i,
    ));
  it('escruri: the headers of the address do not get into the answer', async () => {
    for (const answer of await answersTo(octets('escruri'))) assert.doesNotMatch(answer, /Route/i);
  });
});

describe('RFC 4475 › how they are read', () => {
  function read(name: string): SipRequest {
    const parsed = parse(octets(name));
    assert.equal(parsed.kind, 'message', JSON.stringify(parsed));
    return parsed.kind === 'message' ? (parsed.message as SipRequest) : assert.fail();
  }

  it('wsinv: white space, folded lines and compact forms mean nothing', () => {
    const message = read('wsinv');
    assert.equal(toOf(message).params.get('tag'), '1918181833n');
    assert.equal(fromOf(message).display, 'J Rosenberg \\"');
    assert.deepEqual(
      listOf(message, 'via').map((via) => parseVia(via).params.get('branch')),
      ['390skdjuw', 'z9hG4bK9ikj8', 'z9hG4bK30239'],
    );
    assert.equal(message.body.length, 150);
  });

  it('intmeth: odd characters stay what they are', () => {
    const message = read('intmeth');
    assert.equal(message.method, "!interesting-Method0123456789_*+`.%indeed'~");
    assert.equal(toOf(message).display, 'BEL:\x07 NUL:\x00 DEL:\x7f');
    assert.equal(parseUri(message.uri).host, 'example.com');
  });

  it('esc01, semiuri: what is escaped is one user, and is unescaped once', () => {
    assert.equal(parseUri(read('esc01').uri).user, 'sips:user@example.com');
    assert.equal(parseUri(contactOf(read('esc01'))!.uri).params.get('name'), 'value%41');
    assert.equal(parseUri(read('semiuri').uri).user, 'user;par=u@example.net');
  });

  it('escnull: a NUL does not end a name; these are two contacts', () => {
    const message = read('escnull');
    assert.equal(parseUri(toOf(message).uri).user, 'null-\0-null');
    assert.deepEqual(
      listOf(message, 'contact').map((contact) => parseUri(contact.slice(1, -1)).user),
      ['\0', '\0\0'],
    );
  });

  it('esc02: C%6Fntact is not Contact', () => assert.equal(listOf(read('esc02'), 'contact').length, 2));

  it('longreq: nothing is cut off', () => {
    const message = read('longreq');
    assert.equal(listOf(message, 'via').length, 34);
    assert.equal(fromOf(message).params.get('tag'), `12${'982'.repeat(50)}424`);
    assert.equal(message.body.length, 150);
  });

  it('dblreq: what follows a message in its datagram is not part of it', () => {
    assert.equal(read('dblreq').method, 'REGISTER');
    assert.equal(read('dblreq').body.length, 0);
  });

  it('mpart01: a body is octets', () => assert.equal(read('mpart01').body.length, 553));

  it('cparam01, cparam02: outside of <> a parameter is the field’s, within it the address’s', () => {
    const [outside, within] = [contactOf(read('cparam01'))!, contactOf(read('cparam02'))!];
    assert.deepEqual([outside.params.has('unknownparam'), outside.uri], [true, 'sip:+19725552222@gw1.example.net']);
    assert.deepEqual([within.params.size, parseUri(within.uri).params.has('unknownparam')], [0, true]);
  });

  for (const name of ['unreason', 'noreason', 'bcast']) {
    it(`${name}: an answer that is well formed`, () => assert.equal(read(name).kind, 'response'));
  }
  for (const name of ['scalarlg', 'bigcode']) {
    it(`${name}: an answer that is not`, () => assert.equal(parse(octets(name)).kind, 'bad'));
  }
});
