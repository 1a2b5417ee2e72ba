import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formats, withOffset } from './formats.ts';

const cases: Record<string, { yes: string[]; no: string[] }> = {
  uri: {
    yes: ['https://example.com', 'http://example.com:8080/a?b=c#d', 'HTTPS://EXAMPLE.COM', 'https://bücher.example/é'],
    no: [
      '',
      'example.com',
      '/a',
      'ftp://example.com',
      'javascript:alert(1)',
      'https://',
      'http:example.com',
      'http://a b',
      ' https://example.com',
      'https://example.com\n',
      'https:\\\\example.com',
      `https://example.com/${'a'.repeat(2048)}`,
    ],
  },
  uuid: {
    yes: ['0198a1b2-0000-7000-8000-000000000000', '0198A1B2-0000-7000-8000-000000000000'],
    no: ['0198a1b2000070008000000000000000', '0198a1b2-0000-7000-8000-00000000000g', ''],
  },
  date: {
    yes: ['2026-11-15', '2024-02-29', '2000-02-29', '0001-01-01'],
    no: [
      '2026-02-29',
      '1900-02-29',
      '2026-13-01',
      '2026-00-10',
      '2026-01-00',
      '2026-04-31',
      '0000-01-01',
      '26-1-1',
      '2026-01-01 ',
    ],
  },
  'date-time': {
    yes: [
      '2026-11-15T09:30',
      '2026-11-15T09:30:00',
      '2026-11-15T09:30:00.123456Z',
      '2026-11-15T09:30+10:00',
      '2026-11-15T09:30:00-03:30',
    ],
    no: [
      '2026-11-15',
      '2026-11-15T24:00',
      '2026-11-15T09:60',
      '2026-11-15T09:30:60Z',
      '2026-02-30T09:30Z',
      '2026-11-15T09:30+16:00',
      '2026-11-15T09:30:00.1234567Z',
      '2026-11-15 09:30',
      '2026-11-15T',
      '',
    ],
  },
  phone: {
    yes: ['12345', '+44 7700 900001', '(02) 9999-1234', '[44].7700.900.001', '123456789012345'],
    no: ['1234', '1234567890123456', '+44 7700 90000x', '٠١٢٣٤٥', '', '+()', '1 2 3 4'],
  },
  'country-code': { yes: ['GB', 'US', 'XK'], no: ['UK', 'gb', 'GBR', 'ZZ', 'toString', ''] },
  email: {
    yes: ['ada@example.com', 'a.b+c@mail.example.co.uk'],
    no: ['ada', 'ada@', '@example.com', 'ada@example', 'ada@a..com', 'a da@example.com', 'ada@example.com\n'],
  },
};

for (const [name, { yes, no }] of Object.entries(cases)) {
  test(`formats › ${name} takes what it should, and nothing else`, () => {
    for (const text of yes) assert.equal(formats[name]!.accepts(text), true, text);
    for (const text of no) assert.equal(formats[name]!.accepts(text), false, text);
  });
}

test('withOffset › a date-time without an offset is in UTC', () => {
  assert.equal(withOffset('2026-11-15T09:30'), '2026-11-15T09:30Z');
  assert.equal(withOffset('2026-11-15T09:30Z'), '2026-11-15T09:30Z');
  assert.equal(withOffset('2026-11-15T09:30-03:30'), '2026-11-15T09:30-03:30');
});
