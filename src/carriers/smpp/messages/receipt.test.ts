import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { makePdu } from '../codec/index.ts';
import { canonicalId, normalisedIds, readReceipt } from './receipt.ts';

const text =
  'id:0123456789 sub:001 dlvrd:001 submit date:2611150930 done date:261115093112 stat:DELIVRD err:000 text:id:9 stat:UNDELIV';
const deliver = (body: string, more: object = {}) =>
  makePdu('deliver_sm', { esm_class: 4, short_message: Buffer.from(body, 'latin1'), ...more });

describe('readReceipt', () => {
  it('reads the text of appendix B, and nothing from the words of the message', () => {
    assert.deepEqual(readReceipt(deliver(text)), {
      id: '0123456789',
      state: 'DELIVERED',
      stat: 'DELIVRD',
      err: '000',
      networkError: null,
      submittedAt: new Date('2026-11-15T09:30:00Z'),
      doneAt: new Date('2026-11-15T09:31:12Z'),
    });
  });

  it('prefers the parameters', () => {
    const tlvs = { receipted_message_id: 'AB12', message_state: 5, network_error_code: Buffer.from([3, 0, 27]) };
    const receipt = readReceipt(deliver(text, { tlvs }))!;
    assert.deepEqual(
      [receipt.id, receipt.state, receipt.networkError],
      ['AB12', 'UNDELIVERABLE', { type: 3, code: 27 }],
    );
    assert.equal(readReceipt(deliver('', { tlvs }))!.state, 'UNDELIVERABLE');
  });

  it('reads plain letters under a data_coding of UCS-2, and real UCS-2, and after a header', () => {
    const ucs2 = Buffer.from(text, 'utf16le').swap16();
    const header = Buffer.from([5, 0, 3, 1, 1, 1]);
    const bodies = [
      deliver(text, { data_coding: 8 }),
      deliver('', { data_coding: 8, short_message: ucs2 }),
      deliver('', { esm_class: 0x44, short_message: Buffer.concat([header, Buffer.from(text)]) }),
      deliver('', { tlvs: { message_payload: Buffer.from(text) } }),
      makePdu('data_sm', { esm_class: 4, tlvs: { message_payload: Buffer.from(text) } }),
    ];
    for (const body of bodies) assert.equal(readReceipt(body)?.id, '0123456789');
  });

  it('knows the words of all states, also uncut and in lower case', () => {
    const words = {
      DELIVRD: 'DELIVERED',
      delivered: 'DELIVERED',
      EXPIRED: 'EXPIRED',
      DELETED: 'DELETED',
      UNDELIV: 'UNDELIVERABLE',
      Undeliverable: 'UNDELIVERABLE',
      ACCEPTD: 'ACCEPTED',
      UNKNOWN: 'UNKNOWN',
      REJECTD: 'REJECTED',
      ENROUTE: 'ENROUTE',
      gibberish: 'UNKNOWN',
    };
    for (const [word, state] of Object.entries(words))
      assert.equal(readReceipt(deliver(`id:1 stat:${word} err:1`))?.state, state, word);
    assert.equal(readReceipt(deliver('ID: 77 Stat: REJECTD Err: 5A'))?.err, '5A');
  });

  it('what a person wrote is no receipt, whatever it says', () => {
    assert.equal(readReceipt(deliver(text, { esm_class: 0 })), null);
    assert.equal(readReceipt(deliver(text, { esm_class: 0x40 })), null);
    assert.equal(readReceipt(deliver(text, { esm_class: 0x20 }))?.id, '0123456789');
  });

  it('never fails, whatever the octets', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat({ max: 255 }), (octets, esmClass) => {
        readReceipt(makePdu('deliver_sm', { esm_class: esmClass | 4, short_message: Buffer.from(octets) }));
      }),
    );
    assert.equal(readReceipt(deliver('done date:9999999999'))?.doneAt, null);
  });
});

describe('normalisedIds', () => {
  it('finds the message under any form its centre may have answered', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 2n ** 64n }), fc.nat({ max: 8 }), (number, zeros) => {
        const decimal = number.toString();
        const hex = number.toString(16);
        const forms = [decimal, hex, hex.toUpperCase(), '0'.repeat(zeros) + hex, '0'.repeat(zeros) + decimal];
        for (const answered of forms)
          for (const reported of forms) assert.ok(normalisedIds(reported).includes(canonicalId(answered)));
      }),
    );
  });

  it('the form as written comes first, and ids that are no numbers have no other', () => {
    assert.deepEqual(normalisedIds('0010'), ['10', 'a', '16']);
    assert.deepEqual(normalisedIds('1A'), ['1a', '26']);
    assert.deepEqual(normalisedIds(' 6B29FC40-CA47-1067 '), ['6b29fc40-ca47-1067']);
    assert.deepEqual(normalisedIds('0'), ['0']);
    assert.deepEqual(normalisedIds(''), ['']);
    assert.deepEqual(normalisedIds('9'.repeat(60)), ['9'.repeat(60)]);
  });
});
