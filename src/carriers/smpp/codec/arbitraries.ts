// Any PDU there can be, for tests.
import fc, { type Arbitrary } from 'fast-check';
import { type Command, commands, type Field, type KnownPdu, layoutOfId, noTlvs, type Pdu } from './pdu.ts';
import { isKnownTag, type Tlvs, tlvEntry, tlvNames } from './tlvs.ts';

const u8 = fc.nat({ max: 0xff });
const u32 = fc.nat({ max: 0xffffffff });
const octets = (limits: { minLength?: number; maxLength: number }): Arbitrary<Buffer> =>
  fc.uint8Array(limits).map((bytes) => Buffer.from(bytes));
const letters = (minLength: number, maxLength: number): Arbitrary<string> =>
  fc.array(fc.integer({ min: 1, max: 0xff }), { minLength, maxLength }).map((codes) => String.fromCharCode(...codes));

function anyField(field: Field): Arbitrary<unknown> {
  switch (field.kind) {
    case 'u8':
      return u8;
    case 'cstring':
      return letters(0, field.size - 1);
    case 'time':
      return fc.oneof(fc.constant(''), letters(16, 16));
    case 'octets':
      return octets({ maxLength: 254 });
  }
}

function anyTlv(name: string): Arbitrary<unknown> {
  const [, kind, size] = tlvEntry(name)!;
  switch (kind) {
    case 'u8':
      return u8;
    case 'u16':
      return fc.nat({ max: 0xffff });
    case 'u32':
      return u32;
    case 'cstring':
      return letters(0, size! - 1);
    case 'octets':
      return octets(size === undefined ? { maxLength: 300 } : { minLength: size, maxLength: size });
  }
}

const named = fc.record(Object.fromEntries(tlvNames.map((name) => [name, anyTlv(name)])), {
  requiredKeys: [] as never[],
});
const unnamed = fc.dictionary(
  fc
    .nat({ max: 0xffff })
    .filter((tag) => !isKnownTag(tag))
    .map(String),
  octets({ maxLength: 40 }),
  { maxKeys: 3 },
);
const anyTlvs: Arbitrary<Tlvs> = fc.tuple(unnamed, named).map((both) => Object.assign({}, ...both) as Tlvs);

const anyKnown = fc.constantFrom(...(Object.keys(commands) as Command[])).chain((command): Arbitrary<KnownPdu> => {
  const fields = Object.entries<Field>(commands[command].body).map(([name, field]) => [name, anyField(field)]);
  const parts = {
    command: fc.constant(command),
    status: u32,
    sequence: u32,
    ...Object.fromEntries(fields),
    tlvs: fc.oneof(fc.constant(noTlvs), anyTlvs),
  };
  return fc.record(parts, { noNullPrototype: true }) as unknown as Arbitrary<KnownPdu>;
});
const anyUnknown: Arbitrary<Pdu> = fc.record(
  {
    command: fc.constant('unknown' as const),
    command_id: u32.filter((id) => layoutOfId(id) === undefined),
    status: u32,
    sequence: u32,
    body: octets({ maxLength: 200 }),
  },
  { noNullPrototype: true },
);

export const anyPdu: Arbitrary<Pdu> = fc.oneof(
  { arbitrary: anyKnown, weight: 9 },
  { arbitrary: anyUnknown, weight: 1 },
);
