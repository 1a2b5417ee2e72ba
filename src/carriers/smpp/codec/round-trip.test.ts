import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { anyPdu } from './arbitraries.ts';
import {
  type BadLength,
  decode,
  encode,
  FieldError,
  MalformedPdu,
  makePdu,
  makeSplitter,
  statusName,
} from './index.ts';

describe('codec', () => {
  it('any PDU comes back the same, and byte for byte', () => {
    fc.assert(
      fc.property(anyPdu, (pdu) => {
        const octets = encode(pdu);
        assert.equal(octets.readUInt32BE(0), octets.length);
        const back = decode(octets);
        assert.deepEqual(back, pdu);
        assert.deepEqual(encode(back), octets);
      }),
      { numRuns: 500 },
    );
  });

  it('writes a submit_sm as the specification lays it out', () => {
    const pdu = makePdu('submit_sm', {
      sequence: 7,
      service_type: 'CMT',
      source_addr_ton: 5,
      source_addr: 'Shop',
      dest_addr_ton: 1,
      dest_addr_npi: 1,
      destination_addr: '34600111222',
      esm_class: 0x40,
      validity_period: '000000010000000R',
      registered_delivery: 1,
      data_coding: 8,
      short_message: Buffer.from([0x05, 0x00, 0x03, 0x2a, 0x02, 0x01, 0x20, 0xac]),
      tlvs: { user_message_reference: 0x1234, 5120: Buffer.from('x') },
    });
    const expected = [
      '00000056 00000004 00000000 00000007', // header
      '434d5400 05 00 53686f7000 01 01 333436303031313132323200', // service type, source, destination
      '40 00 00 00 30303030303030313030303030303052 00', // class, protocol, priority, schedule, validity
      '01 00 08 00 08 0500032a020120ac', // receipt, replace, coding, default message, length, message
      '1400 0001 78 0204 0002 1234', // parameters
    ];
    assert.equal(encode(pdu).toString('hex'), expected.join('').replaceAll(' ', ''));
  });

  it('refuses what does not fit, and names the field', () => {
    const refused = (field: string, run: () => unknown) =>
      assert.throws(run, (error) => error instanceof FieldError && error.field === field);
    refused('system_id', () => encode(makePdu('bind_receiver', { system_id: 'a'.repeat(16) })));
    refused('password', () => encode(makePdu('bind_receiver', { password: '123456789' })));
    refused('destination_addr', () => encode(makePdu('submit_sm', { destination_addr: '1'.repeat(21) })));
    refused('source_addr', () => encode(makePdu('submit_sm', { source_addr: 'Caf\0e' })));
    refused('source_addr', () => encode(makePdu('submit_sm', { source_addr: '€' })));
    refused('validity_period', () => encode(makePdu('submit_sm', { validity_period: '0001' })));
    refused('service_type', () => encode({ ...makePdu('submit_sm'), service_type: undefined as unknown as string }));
    refused('short_message', () => encode(makePdu('submit_sm', { short_message: Buffer.alloc(255) })));
    refused('data_coding', () => encode(makePdu('submit_sm', { data_coding: 256 })));
    refused('network_error_code', () =>
      encode(makePdu('deliver_sm', { tlvs: { network_error_code: Buffer.alloc(2) } })),
    );
    refused('receipted_message_id', () =>
      encode(makePdu('deliver_sm', { tlvs: { receipted_message_id: 'a'.repeat(65) } })),
    );
    refused('message_payload', () => encode(makePdu('submit_sm', { tlvs: { message_payload: Buffer.alloc(65_536) } })));
    refused('70000', () => encode(makePdu('submit_sm', { tlvs: { 70000: Buffer.alloc(1) } })));
  });

  it('reads strings that are longer than the specification allows, and parameters without their NUL', () => {
    const octets = encode(makePdu('submit_sm_resp', { message_id: 'a'.repeat(64) }));
    const long = Buffer.concat([octets.subarray(0, 16), Buffer.from(`${'b'.repeat(200)}\0`)]);
    assert.equal((decode(long) as { message_id: string }).message_id, 'b'.repeat(200));
    const bare = Buffer.concat([octets, Buffer.from([0x00, 0x1e, 0x00, 0x02, 0x31, 0x32])]);
    assert.deepEqual((decode(bare) as { tlvs: object }).tlvs, { receipted_message_id: '12' });
    const odd = Buffer.concat([octets, Buffer.from([0x04, 0x27, 0x00, 0x02, 0x00, 0x02])]);
    assert.deepEqual((decode(odd) as { tlvs: object }).tlvs, { [0x0427]: Buffer.from([0, 2]) });
  });

  it('reads a refusal without a body, and writes it so', () => {
    const octets = encode(makePdu('submit_sm_resp', { status: 0x58, sequence: 9 }));
    assert.equal(octets.length, 16);
    assert.deepEqual(decode(octets), makePdu('submit_sm_resp', { status: 0x58, sequence: 9 }));
  });

  it('statuses have names', () => {
    assert.equal(statusName(0x58), 'ESME_RTHROTTLED');
    assert.equal(statusName(0x0401), '0x00000401');
  });
});

describe('splitter', () => {
  const streams = fc.array(anyPdu, { minLength: 1, maxLength: 6 });
  const cuts = fc.array(fc.nat({ max: 3_000 }), { maxLength: 20 });

  it('gives the same PDUs wherever the stream is cut', () => {
    fc.assert(
      fc.property(streams, cuts, (pdus, places) => {
        const stream = Buffer.concat(pdus.map(encode));
        const splitter = makeSplitter();
        const found = pieces(stream, places).flatMap((piece) => splitter.push(piece)) as Buffer[];
        assert.deepEqual(found.map(decode), pdus);
      }),
    );
  });

  it('octet by octet, too', () => {
    const pdus = [makePdu('enquire_link', { sequence: 1 }), makePdu('submit_sm', { short_message: Buffer.from('hi') })];
    const splitter = makeSplitter();
    const stream = Buffer.concat(pdus.map(encode));
    const found = [...stream].flatMap((octet) => splitter.push(Buffer.from([octet]))) as Buffer[];
    assert.deepEqual(found.map(decode), pdus);
  });

  it('never throws, whatever comes, and a PDU that makes no sense is a MalformedPdu and nothing else', () => {
    const wellFramed = fc.uint8Array({ maxLength: 120 }).map((body) => {
      const octets = Buffer.alloc(16 + body.length);
      octets.writeUInt32BE(octets.length, 0);
      octets.writeUInt32BE([4, 5, 9, 0x103, 0x80000004, 0x80000003][body[0]! % 6] ?? 4, 4);
      octets.set(body, 16);
      return octets;
    });
    const noise = fc.uint8Array({ maxLength: 200 }).map((octets) => Buffer.from(octets));
    fc.assert(
      fc.property(
        fc.array(fc.oneof(wellFramed, noise, anyPdu.map(encode)), { maxLength: 8 }),
        cuts,
        (parts, places) => {
          const splitter = makeSplitter();
          for (const piece of pieces(Buffer.concat(parts), places)) {
            for (const frame of splitter.push(piece)) {
              if (!Buffer.isBuffer(frame)) continue;
              try {
                decode(frame);
              } catch (error) {
                assert.ok(error instanceof MalformedPdu);
              }
            }
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it('a length that cannot be ends the stream, after the PDUs before it, and nothing is kept for it', () => {
    for (const length of [0, 4, 15, 128 * 1024 + 1, 0xffffffff]) {
      const splitter = makeSplitter();
      const bad = Buffer.alloc(16);
      bad.writeUInt32BE(length, 0);
      const [first, second, ...rest] = splitter.push(Buffer.concat([encode(makePdu('unbind')), bad, bad]));
      assert.ok(Buffer.isBuffer(first));
      assert.equal((second as BadLength).length, length);
      assert.deepEqual(rest, []);
      assert.deepEqual(splitter.push(encode(makePdu('unbind'))), []);
    }
  });

  it('the largest message_payload passes', () => {
    const octets = encode(makePdu('submit_sm', { tlvs: { message_payload: Buffer.alloc(65_535, 'a') } }));
    const [frame] = makeSplitter().push(octets);
    assert.equal(
      (decode(frame as Buffer) as { tlvs: { message_payload: Buffer } }).tlvs.message_payload.length,
      65_535,
    );
  });
});

function pieces(stream: Buffer, places: number[]): Buffer[] {
  const ends = [...new Set(places.map((place) => place % (stream.length + 1)))].sort((a, b) => a - b);
  return [0, ...ends].map((start, index) => stream.subarray(start, ends[index] ?? stream.length));
}
