import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../../../test/kit/characters.ts';
import { newCode } from '../../../platform/ids.ts';
import { normalise, referenceKey } from './keys.ts';
import { codesIn, referencesIn } from './match.ts';

const offers = (text: string, reference: string): boolean =>
  referencesIn(normalise(text)).includes(referenceKey(reference));

describe('referencesIn', () => {
  it('offers a reference with whatever people put around it', () => {
    for (const text of [
      'A-1/7',
      'about a-1/7, please',
      'Hello (Ref:A-1/7).',
      'https://example.com/?ref=A-1/7&from=chat',
      '*Ａ-1/7*',
      'I mean “A-1/7”!',
      'A-1/7❤️',
      '\u200fA-1/7\u200f',
    ]) {
      assert.ok(offers(text, 'A-1/7'), text);
    }
  });

  it('offers a reference that begins or ends with a sign', () => {
    assert.ok(offers('It is (#12).', '#12'));
    assert.ok(offers('It is #12.', '#12'));
    assert.ok(offers('It is [7], I think', '[7],'));
    assert.ok(offers('Das Haus „Straße 7+“', 'STRASSE 7+'));
    assert.ok(offers('🏠', '🏠'));
  });

  it('offers up to four words in a row, and a whole text of any number', () => {
    assert.ok(offers('Is "Old Mill, Lower Lane" free?', 'old mill, lower lane'));
    assert.ok(offers('the house at the end of the lane', 'The House at the  End of the Lane'));
    assert.ok(!offers('is the house at the end of the lane free', 'the house at the end of the lane'));
  });

  it('offers no part of a word', () => {
    assert.ok(!offers('REF-12', 'REF-1'));
    assert.ok(!offers('aREF-1', 'REF-1'));
    assert.ok(!offers('12.50', '12'));
  });

  it('offers any reference of up to four words that stands between spaces', () => {
    const word = fc.string({ unit: anyCharacter, minLength: 1, maxLength: 20 }).filter((text) => /\S/.test(text));
    const reference = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));
    fc.assert(
      fc.property(reference, (text) => {
        fc.pre(normalise(text).split(' ').length <= 4 && normalise(text) !== '');
        assert.ok(offers(`Hello, ${text} please`, text), JSON.stringify(text));
      }),
    );
  });

  it('offers a bounded number of different words of bounded length, whatever the text', () => {
    const long = [...'a :!😀', 'a ', 'a:', 'a! ', '\ufdfa', 'ا ', 'e\u0301', '.*+?^$ {}()|[]\\', '((a+)+)+$ '];
    for (const part of long) {
      const references = referencesIn(normalise(part.repeat(65_536 / part.length)));
      assert.ok(references.length <= 1_000 && references.every((one) => one.length <= 255), part);
    }
    const words = Array.from({ length: 9_000 }, (_, n) => `(w${n}).`).join(' ');
    assert.equal(new Set(referencesIn(words)).size, 1_000);
    assert.deepEqual(referencesIn(''), []);
  });
});

describe('codesIn', () => {
  it('finds codes that stand by themselves, also in links and in capitals', () => {
    const [one, two] = [newCode(10), newCode(10)];
    assert.deepEqual(codesIn(normalise(`See http://x.example/l/${one}?a=b or ${two.toUpperCase()}.`)), [one, two]);
    assert.deepEqual(codesIn(`a${one} ${one}22 interested`), []);
  });
});
