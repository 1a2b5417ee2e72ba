import assert from 'node:assert/strict';
import { validateHeaderValue } from 'node:http';
import { describe, it } from 'node:test';
import { attachment, headerValue, locationValue, warningsValue, withWarnings } from './header-values.ts';
import { created } from './route.ts';

describe('header values', () => {
  it('an address in ASCII stays as it is, any other is normalised', () => {
    for (const [given, expected] of [
      ['https://Example.com/a%20b?c=d#e', 'https://Example.com/a%20b?c=d#e'],
      ['https://example.com/привет', 'https://example.com/%D0%BF%D1%80%D0%B8%D0%B2%D0%B5%D1%82'],
      ['https://пример.испытание/', 'https://xn--e1afmkfd.xn--80akhbyknj4f/'],
      ['https://example.com/a\r\nSet-Cookie: b', 'https://example.com/aSet-Cookie:%20b'],
      ['not an address é', 'not%20an%20address%20%C3%A9'],
      ['\ud800', '%EF%BF%BD'],
    ]) {
      assert.equal(locationValue(given!), expected);
    }
  });

  it('any text is made a value', () => {
    assert.equal(headerValue('plain text, "quoted"'), 'plain text, "quoted"');
    assert.equal(headerValue('a\r\nb\0\u007fé\ud800'), 'a%0D%0Ab%00%7F%C3%A9%EF%BF%BD');
  });

  it('a file has its name twice: in ASCII, and whole', () => {
    assert.equal(attachment(''), 'attachment');
    assert.equal(attachment("a'b.pdf"), "attachment; filename=\"a'b.pdf\"; filename*=UTF-8''a%27b.pdf");
    assert.equal(attachment('é".pdf'), 'attachment; filename="__.pdf"; filename*=UTF-8\'\'%C3%A9%22.pdf');
  });
});

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
