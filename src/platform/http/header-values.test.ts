import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { attachment, headerValue, locationValue } from './header-values.ts';

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
