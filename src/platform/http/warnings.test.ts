import assert from 'node:assert/strict';
import { validateHeaderValue } from 'node:http';
import { describe, it } from 'node:test';
import { created } from './route.ts';
import { warningsValue, withWarnings } from './warnings.ts';

describe('Parley-Warnings', () => {
  it('is a list of strings in printable ASCII, whatever the sentences hold', () => {
    assert.equal(warningsValue(['One.', 'Two, "quoted" \\.']), '"One.", "Two, \\"quoted\\" \\\\."');
    const hostile = warningsValue(['a\r\nSet-Cookie: b', 'é 100%', '\ud800', '\0\u007f']);
    assert.equal(hostile, '"a%0D%0ASet-Cookie: b", "%C3%A9 100%25", "%EF%BF%BD", "%00%7F"');
    validateHeaderValue('parley-warnings', hostile);
  });

  it('is cut short, never in the middle of a string', () => {
    const value = warningsValue(Array.from({ length: 100 }, () => '😀'.repeat(1_000)));
    assert.ok(value.length <= 4_802, `${value.length} characters`);
    assert.match(value, /^"(%F0%9F%98%80)*"(, "(%F0%9F%98%80)*")*$/);
    assert.equal(warningsValue(Array.from({ length: 100 }, () => 'Short.')).split(', ').length, 20);
  });

  it('stands beside the headers that an answer has, and only where there is something to say', () => {
    assert.deepEqual(withWarnings(created({}), []), created({}));
    assert.deepEqual(withWarnings({ status: 200, headers: { etag: '"1"' } }, ['One.']).headers, {
      etag: '"1"',
      'parley-warnings': '"One."',
    });
  });
});
