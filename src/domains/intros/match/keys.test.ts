import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../../../test/kit/characters.ts';
import { matchKeys, normalise, referenceKey, textHash } from './keys.ts';

describe('normalise', () => {
  it('makes case, white space and compatibility forms equal', () => {
    assert.equal(normalise('  Ｈｅｌｌｏ\n\t WORLD  '), 'hello world');
    assert.equal(normalise('STRASSE'), normalise('Straße'));
    assert.equal(normalise('STRAẞE'), normalise('strasse'));
    assert.equal(normalise('cafe\u0301'), normalise('CAFÉ'));
    assert.equal(normalise('ΟΔΟΣ'), normalise('οδος'));
  });

  it('keeps different texts apart', () => {
    assert.notEqual(normalise('REF-1'), normalise('REF 1'));
    assert.notEqual(normalise('resume'), normalise('résumé'));
  });

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        assert.equal(normalise(normalise(text)), normalise(text));
      }),
    );
  });
});

describe('matchKeys', () => {
  const intro = {
    reference_id: 'Prop-7',
    expected_message_template: 'Hello, about {{ reference_id }} in {{Town}}',
    extra_variable_data: { Town: 'Bath' },
  };

  it('hashes the expected text as a person would send it', () => {
    const { expected_hash } = matchKeys(intro);
    assert.equal(expected_hash, textHash('hello,  about PROP-7 in bath '));
    assert.notEqual(expected_hash, textHash('hello, about prop-8 in bath'));
  });

  it('passes over empty variables, which are there to be filled later', () => {
    const { expected_hash } = matchKeys({ ...intro, extra_variable_data: { Town: '', reference_id: '' } });
    assert.equal(expected_hash, textHash('hello, about prop-7 in'));
  });

  it('has no hash for a text with nothing in it', () => {
    assert.deepEqual(matchKeys({ ...intro, reference_id: null, expected_message_template: ' {{reference_id}} ' }), {
      reference_key: null,
      expected_hash: null,
    });
  });

  it('keeps a reference short enough for an index, however it expands', () => {
    assert.ok(Buffer.byteLength(referenceKey('\ufdfa'.repeat(255))) < 2_600);
    assert.ok(Buffer.byteLength(referenceKey('𝕏😀'.repeat(127))) < 2_600);
  });
});
