import { Type } from 'typebox';
import { countryOf } from '../../accounts/index.ts';
import { NumberUpdateItem, patch, patchSpeechErrors, presentStored, updateNumbers } from '../../numbers/index.ts';
import { anyErrors, itemKind } from '../running/items.ts';

/** Changes the settings that each item names, of the number that it names. */
export const numbersUpdate = itemKind({
  type: 'numbers.update',
  scope: 'number:write',
  Input: Type.Object(
    { items: Type.Array(NumberUpdateItem, { minItems: 1, maxItems: 10_000 }) },
    { title: 'NumbersUpdateInput', description: 'What an item leaves out stays as it is.' },
  ),
  check: async (deps, accountId, { items }) => anyErrors('items', await patchSpeechErrors(deps, accountId, items)),
  batchSize: 50,
  itemsOf: ({ items }) => items,
  perform: async (deps, accountId, items) =>
    (await updateNumbers(deps, accountId, items, patch, await countryOf(deps, accountId))).map((row) => ({
      status: 'fulfilled',
      value: presentStored(row),
    })),
});
