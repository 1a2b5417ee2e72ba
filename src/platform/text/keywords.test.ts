import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findKeywords } from './keywords.ts';

test('keywords are whole words in any case, and may be several', () => {
  const found = (text: string, ...keywords: string[]) => findKeywords(text, keywords);
  assert.deepEqual(found('I want a REFUND!', 'refund', 'price'), ['refund']);
  assert.deepEqual(found('a nonstop flight', 'stop'), []);
  assert.deepEqual(found('When can I  view\nthe flat?', 'view the flat', 'the view'), ['view the flat']);
  assert.deepEqual(found('ＰＲＩＣＥ?', 'price'), ['price'], 'full width is the same letter');
  assert.deepEqual(found('請問價格多少', '價格', '退款'), ['價格'], 'a script without spaces');
  assert.deepEqual(found('anything at all', '!!!', ''), []);
});
