import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseSdp } from '../sdp/sdp.ts';
import { contactOf, fromOf, viaOf } from './fields.ts';
import { type BrokenStream, makeFraming } from './framing.ts';
import { headersOf, noBody, type SipRequest } from './message.ts';
import { parse } from './parse.ts';
import { serialise } from './serialise.ts';
import { Malformed, parseUri } from './uri.ts';

const request = (lines: string[], start = 'OPTIONS sip:a@b SIP/2.0'): Buffer =>
  Buffer.from(
    `${[start, 'Via: SIP/2.0/UDP b;branch=z9hG4bK1', 'From: <sip:a@b>;tag=1', 'To: <sip:a@b>', 'Call-ID: c', 'CSeq: 1 OPTIONS', ...lines].join('\r\n')}\r\n\r\n`,
  );

function read(octets: Buffer): SipRequest {
  const parsed = parse(octets);
  return parsed.kind === 'message' ? (parsed.message as SipRequest) : assert.fail(parsed.problem);
}

describe('reading messages', () => {
  it('takes lines that end with LF only, IPv6, tel:, upper-case schemes and names in UTF-8 without quotes', () => {
    const text = request(['Contact: Zoë Müller <SIP:+15550001@[2001:db8::1]:5070;transport=TCP>;q=1'])
      .toString()
      .replaceAll('\r\n', '\n')
      .replace('sip:a@b SIP', 'tel:+1-555-0001;phone-context=x SIP')
      .replace('UDP b;', 'UDP [2001:db8::2]:5080;received=192.0.2.1;');
    const message = read(Buffer.from(text));
    assert.equal(parseUri(message.uri).user, '+1-555-0001');
    assert.deepEqual([viaOf(message).host, viaOf(message).port], ['2001:db8::2', 5080]);
    const contact = contactOf(message)!;
    assert.equal(contact.display, 'Zoë Müller');
    assert.deepEqual([parseUri(contact.uri).host, parseUri(contact.uri).port], ['2001:db8::1', 5070]);
  });

  it('keeps what others put into names and numbers on one line', () => {
    const headers = headersOf({ from: '"Eve\r\nX-Evil: 1" <sip:a@b>;tag=1', subject: 'a\nb' });
    const text = serialise({
      kind: 'request',
      method: 'OPTIONS',
      uri: 'sip:a\r\nX: y@b',
      headers,
      body: noBody,
    }).toString();
    assert.doesNotMatch(text, /^X/m);
  });

  it('whatever it wrote it reads again', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 30 });
    fc.assert(
      fc.property(text, text, fc.uint8Array({ maxLength: 50 }), (display, subject, body) => {
        const name = display.replaceAll(/[\\"\r\n\0]/g, '').trim();
        const given = { ...read(request([])), body: Buffer.from(body) };
        given.headers.set('from', [`"${name}" <sip:a@b>;tag=1`]);
        given.headers.set('subject', [subject]);
        const again = read(serialise(given));
        assert.equal(fromOf(again).display, name);
        assert.deepEqual(again.body, given.body);
      }),
    );
  });

  const fragment = fc.constantFrom(
    ...[
      'INVITE sip:a@b SIP/2.0\r\n',
      'Via: SIP/2.0/UDP b;branch=z9hG4bK1\r\n',
      'From: "',
      '<',
      '>',
      ';',
      ',',
      '\\',
      ':',
      '\r\n',
      ' ',
      '\t',
    ],
    ...[
      'To: <sip:a@b>;tag=',
      'CSeq: 1 INVITE\r\n',
      'Call-ID: x\r\n',
      'Content-Length: ',
      '99999999999',
      'SIP/2.0 200 OK\r\n',
      '%',
      '[',
      ']',
      '\0',
      '\u{1f600}',
    ],
  );
  it('any octets are read or refused, and never more', () => {
    const soup = fc
      .array(fc.oneof(fragment, fc.string()), { maxLength: 60 })
      .map((parts) => Buffer.from(parts.join('')));
    fc.assert(
      fc.property(
        fc.oneof(
          soup,
          fc.uint8Array({ maxLength: 300 }).map((octets) => Buffer.from(octets)),
        ),
        (octets) => {
          assert.ok(['message', 'bad'].includes(parse(octets).kind));
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('any octets in a body are a session description, or are not', () => {
    const line = fc.constantFrom(
      'v=0',
      'm=audio 1 RTP/AVP 0',
      'c=IN IP4 1.2.3.4',
      'a=rtpmap:0 PCMU/8000',
      'a=inactive',
      'm=',
      'c=',
      'a=',
      '',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(line, fc.string())), (lines) => {
        try {
          parseSdp(`v=0\r\n${lines.join('\r\n')}`);
        } catch (error) {
          assert.ok(error instanceof Malformed);
        }
      }),
    );
  });

  it('time grows with the length and no faster', () => {
    const hostile = [
      (n: number) => `Contact: ${'"\\'.repeat(n)}`,
      (n: number) => `Contact: ${'<'.repeat(n)}`,
      (n: number) => `Contact: ${';a'.repeat(n)}`,
      (n: number) => `Via: ${'SIP/2.0/UDP '.repeat(n)}`,
      (n: number) => `Route: ${'<sip:a@b>,'.repeat(n)}`,
      (n: number) => `From: ${' '.repeat(n)}x`,
      (n: number) => `X:${'\r\n '.repeat(n)}`,
    ];
    for (const make of hostile) {
      const octets = request([make(6_000)]);
      const beganUs = process.cpuUsage().user;
      for (let run = 0; run < 5; run++) parse(octets);
      assert.ok(process.cpuUsage().user - beganUs < 1_000_000, make(1));
    }
  });
});

describe('messages in a stream', () => {
  const one = request(['Content-Length: 4']).toString();
  const stream = Buffer.from(`\r\n\r\n${one}body\r\n${one}more${request(['l: 0']).toString()}`);

  it('are the same however they are cut', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 40 }), (cuts) => {
        const framing = makeFraming();
        const frames: (Buffer | 'ping')[] = [];
        for (let at = 0, turn = 0; at < stream.length; turn++) {
          const length = cuts[turn % cuts.length]!;
          frames.push(...framing.push(stream.subarray(at, at + length)));
          at += length;
        }
        const texts = frames.filter((frame) => frame !== 'ping').map(String);
        assert.equal(texts.length, 3);
        assert.ok(texts[0]!.endsWith('body') && texts[1]!.endsWith('more'));
        assert.equal(framing.pending(), 0);
      }),
    );
  });

  const broken = (error: unknown): boolean => (error as BrokenStream).name === 'BrokenStream';
  it('end where nobody can tell how long they are', () => {
    assert.throws(() => makeFraming().push(request([])), broken);
    assert.throws(() => makeFraming().push(request(['Content-Length: -1'])), broken);
    assert.throws(() => makeFraming().push(request(['Content-Length: 999999'])), broken);
    assert.throws(() => makeFraming().push(Buffer.alloc(70_000, 'a')), broken);
    const crumbs = makeFraming();
    assert.throws(() => {
      for (let count = 0; count < 2_000; count++) crumbs.push(Buffer.from('a'));
    }, broken);
  });
});
