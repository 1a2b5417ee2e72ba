import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { it } from 'node:test';
import { runMessages } from './prepared-query.ts';

// The driver's own writer.
const { serialize } = createRequire(createRequire(import.meta.url).resolve('pg'))('pg-protocol');

const asDriver = (statement: string, values: unknown[]): Buffer =>
  Buffer.concat([
    serialize.bind({
      portal: '',
      statement,
      values,
      valueMapper: (value: unknown) => (value === undefined || Buffer.isBuffer(value) ? value : String(value)),
    }),
    serialize.describe({ type: 'P', name: '' }),
    serialize.execute({ portal: '' }),
    serialize.sync(),
  ]);

it('writes what the driver writes, byte by byte', () => {
  const many = [
    undefined,
    '',
    'plain',
    'Юлия 𝄞 \u0001',
    12.5,
    -0,
    1e21,
    true,
    Buffer.from([1, 0, 255]),
    'x'.repeat(9_000),
  ];
  for (const values of [[], ['one'], [Buffer.alloc(0)], many]) {
    assert.deepEqual(runMessages('messages.accept', values), asDriver('messages.accept', values));
  }
  assert.deepEqual(runMessages('ünamed', [null]), runMessages('ünamed', [undefined]));
});

it('leaves what has a form of its own to the driver', () => {
  for (const value of [new Date(0), { a: 1 }, ['a'], 5n]) assert.equal(runMessages('any', ['text', value]), undefined);
});
