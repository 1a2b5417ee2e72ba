import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import Type from 'typebox';
import { bodyValidator } from './body.ts';
import { plainSchema } from './plain-schema.ts';
import { tagged } from './schemas.ts';
import { withSharedParts } from './shared-parts.ts';

const long = 'A sentence that is long enough to make a part of a schema worth a definition of its own, wherever it is.';
const Place = Type.Object({
  street: Type.String({ pattern: '^[a-z]+$', 'x-message': long }),
  house: Type.Integer({ minimum: 1 }),
});
const Address = Type.Object({ place: Place, earlier: Type.Array(Place) });
const Tagged = tagged('type', {}, { HOME: { at: Address }, WORK: { at: Address } });
const Body = Type.Object({
  from: Address,
  to: Type.Optional(Address),
  tagged: Type.Optional(Tagged),
  either: Type.Optional(Type.Union([Place, Type.Array(Place)])),
  maybe: Type.Optional(Type.Unsafe({ anyOf: [Tagged, { type: 'object', maxProperties: 0 }] })),
});
const good = { place: { street: 'a', house: 1 }, earlier: [{ street: 'b', house: 2 }] };
const check = bodyValidator(Body);

describe('parts of a schema that are there several times', () => {
  it('are defined once, those inside other parts as well; what is small or there once stays where it is', () => {
    const { $defs, properties } = withSharedParts(plainSchema(Body)) as Record<string, Record<string, unknown>>;
    assert.equal(Object.keys($defs!).length, 3, 'a place, an address, and what is tagged');
    assert.deepEqual(properties!['from'], properties!['to']);
    assert.match(JSON.stringify(properties!['from']), /^\{"\$ref":"#\/\$defs\/part\d+"\}$/);
    assert.ok(!JSON.stringify(properties!['either']).includes('$ref'), 'variants without a tag stay');
    const small = plainSchema(Type.Object({ a: Type.String(), b: Type.String() }));
    assert.deepEqual(withSharedParts(small), small);
  });

  it('refuse what they refused where they stood, by the same words', () => {
    assert.equal(check({ from: good, to: good, tagged: { type: 'HOME', at: good }, either: [], maybe: {} }), null);
    const bad = { place: { street: '17', house: 0 }, earlier: [{ house: 1 }, 'x'] };
    const sentences = {
      place: { street: [long], house: ['Ensure this value is greater than or equal to 1.'] },
      earlier: [
        { street: ['This field is required.'] },
        { non_field_errors: ['Invalid data. Expected a dictionary, but got str.'] },
      ],
    };
    assert.deepEqual(check({ from: bad, to: bad }), { from: sentences, to: sentences });
    for (const field of ['tagged', 'maybe']) {
      assert.deepEqual(check({ from: good, [field]: { type: 'WORK', at: bad } }), { [field]: { at: sentences } });
      assert.deepEqual(check({ from: good, [field]: 'x' }), {
        [field]: { non_field_errors: ['Invalid data. Expected a dictionary, but got str.'] },
      });
    }
    assert.deepEqual(check({ from: good, tagged: {} }), { tagged: { type: ['This field is required.'] } });
  });

  it('in a union without a tag, name the mistakes of the variant that was meant', () => {
    assert.deepEqual(check({ from: good, either: { street: 'a', house: 0 } }), {
      either: { house: ['Ensure this value is greater than or equal to 1.'] },
    });
    assert.deepEqual(check({ from: good, either: [{ street: 'a' }] }), {
      either: [{ house: ['This field is required.'] }],
    });
  });
});
