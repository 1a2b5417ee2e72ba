import { Type } from 'typebox';
import { countryOf } from '../../accounts/index.ts';
import { NumberUpdateItem, patch, presentNumber, updateNumbers } from '../../numbers/index.ts';
import { itemKind } from '../running/items.ts';

/** Changes the settings that each item names, of the number that it names. */
export const numbersUpdate = itemKind({
  type: 'numbers.update',
  scope: 'number:write',
  Input: Type.Object(
    { items: Type.Array(NumberUpdateItem, { minItems: 1, maxItems: 10_000 }) },
    { title: 'NumbersUpdateInput', description: 'What an item leaves out stays as it is.' },
  ),
  batchSize: 50,
  itemsOf: ({ items }) => items,
  perform: async (deps, accountId, items) =>
    (await updateNumbers(deps.db, accountId, items, patch, await countryOf(deps, accountId))).map((row) => ({
      status: 'fulfilled',
      value: presentNumber(row),
    })),
});
