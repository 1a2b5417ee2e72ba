import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { encodingOf, textOf } from './read.ts';
import { delimiterOf, rowGroupsOf } from './rows.ts';

async function* inChunks(text: string, size = 7): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}
const read = async (text: string, delimiter = ',') =>
  (await Array.fromAsync(rowGroupsOf(inChunks(text), delimiter)))
    .flat()
    .map((row) => [row.line, row.error ?? row.cells]);

describe('rows of a CSV text', () => {
  it('have the line on which they begin, whatever ends lines and whatever is quoted', async () => {
    for (const end of ['\n', '\r\n', '\r']) {
      const text = ['a,b', '1,"x"', '', '2,"y', 'z ""q"""', ' 3 , w ', '4'].join(end);
      assert.deepEqual(await read(text), [
        [1, ['a', 'b']],
        [2, ['1', 'x']],
        [4, ['2', 'y\nz "q"']],
        [6, ['3', 'w']],
        [7, ['4']],
      ]);
    }
  });

  it('are not spoilt by a broken one', async () => {
    const good = Array.from({ length: 120 }, (_, at) => `${at},z`);
    const unclosed = ['a,b', '1,"never closed', ...good].join('\n');
    const rows = await read(unclosed);
    assert.deepEqual(rows[1], [2, 'A quote is opened and not closed.']);
    assert.deepEqual([rows.length, rows.at(-1)], [122, [122, ['119', 'z']]]);
    assert.deepEqual(await read('a,b\n1,"x"y\n2,a"b\n3,"c'), [
      [1, ['a', 'b']],
      [2, 'The quotes of this line cannot be made sense of.'],
      [3, ['2', 'a"b']],
      [4, 'A quote is opened and not closed.'],
    ]);
    assert.deepEqual(await read('a\n1\0\n2'), [
      [1, ['a']],
      [2, 'The line holds a NUL byte.'],
      [3, ['2']],
    ]);
  });

  it('are what was written, for any cells', async () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', ';', '\n', ' ', 'é') }).map((text) => `x${text}x`);
    const table = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 20 });
    const property = fc.asyncProperty(table, fc.constantFrom(',', ';', '\t'), async (rows, delimiter) => {
      const quoted = rows
        .map((row) => row.map((text) => `"${text.replaceAll('"', '""')}"`).join(delimiter))
        .join('\r\n');
      assert.deepEqual(
        (await read(quoted, delimiter)).map(([, cells]) => cells),
        rows,
      );
    });
    await fc.assert(property, { numRuns: 200 });
  });

  it('are separated by what the header has most of', async () => {
    for (const [text, delimiter] of [
      ['a;b;"c,d,e,f"\n1,2;3', ';'],
      ['\r\na\tb\r\n', '\t'],
      ['number', ','],
      ['a,b\n1;2;3;4', ','],
    ] as const) {
      assert.equal(await delimiterOf(inChunks(text)), delimiter, text);
    }
  });
});

describe('the encoding of a file', () => {
  const sourceOf = (bytes: Buffer) =>
    async function* () {
      for (let at = 0; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000);
    };
  const text = 'number,naïve\n+442079460000,Zoë\n';
  const wide = Buffer.from(text, 'utf16le');
  const cases: [name: string, bytes: Buffer, encoding: string][] = [
    ['UTF-8', Buffer.from(text), 'utf-8'],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${text}`), 'utf-8'],
    ['UTF-16 with a mark', Buffer.from(`\ufeff${text}`, 'utf16le'), 'utf-16le'],
    ['UTF-16 without one', wide, 'utf-16le'],
    ['UTF-16, the other end first', Buffer.from(`\ufeff${text}`, 'utf16le').swap16(), 'utf-16be'],
    ['Latin-1', Buffer.from(text, 'latin1'), 'windows-1252'],
  ];
  for (const [name, bytes, encoding] of cases) {
    it(`${name} is recognised and read`, async () => {
      const source = sourceOf(bytes);
      assert.equal(await encodingOf(source), encoding);
      assert.equal((await Array.fromAsync(textOf(source, encoding as 'utf-8'))).join(''), text);
    });
  }

  it('is Latin-1 also when a single byte far behind says so', async () => {
    const bytes = Buffer.concat([Buffer.from('a,b\n'.repeat(100_000)), Buffer.from('Zo\xeb', 'latin1')]);
    assert.equal(await encodingOf(sourceOf(bytes)), 'windows-1252');
  });
});
