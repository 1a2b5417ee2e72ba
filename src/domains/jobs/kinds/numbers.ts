import { type Static, Type } from 'typebox';
import type { Deps } from '../../../deps.ts';
import type { FieldErrors } from '../../../platform/errors.ts';
import { countryOf } from '../../accounts/index.ts';
import {
  buyNumbers,
  countryErrors,
  NumberCreate,
  NumberUpdateItem,
  newSpeechErrors,
  patch,
  patchSpeechErrors,
  presentNumber,
  presentStored,
  updateNumbers,
} from '../../numbers/index.ts';
import { anyErrors, itemKind } from '../kind.ts';

const most = 10_000;

const Input = Type.Object(
  {
    items: Type.Optional(Type.Array(NumberCreate, { minItems: 1, maxItems: most })),
    count: Type.Optional(Type.Integer({ minimum: 1, maximum: most, description: 'How many of `item`.' })),
    item: Type.Optional(NumberCreate),
  },
  { title: 'NumbersCreateInput', description: `Up to ${most}: either \`items\`, or \`count\` and \`item\`.` },
);
type Input = Static<typeof Input>;

/** Buys numbers, any count. */
export const numbersCreate = itemKind({
  type: 'numbers.create',
  scope: 'number:write',
  Input,
  check: async (deps, _accountId, input) => shapeErrors(input) ?? contentErrors(deps, input),
  batchSize: 50,
  itemsOf: ({ items, count = 1, item }) => items ?? Array.from({ length: count }, () => item!),
  perform: async (deps, accountId, items) =>
    (await buyNumbers(deps, accountId, items)).map((row) => ({ status: 'fulfilled', value: presentNumber(row) })),
});

function shapeErrors({ items, count, item }: Input): FieldErrors | undefined {
  if (items !== undefined) {
    const isDouble = count !== undefined || item !== undefined;
    return isDouble ? { non_field_errors: ['Give either items, or count and item.'] } : undefined;
  }
  const missing = Object.entries({ count, item }).filter(([, value]) => value === undefined);
  if (missing.length === 2) return { items: ['This field is required.'] };
  return missing[0] && { [missing[0][0]]: ['This field is required.'] };
}

async function contentErrors(deps: Deps, { items, item }: Input): Promise<FieldErrors | undefined> {
  const requests = items ?? [item!];
  const unspoken = await newSpeechErrors(deps, requests);
  const errors = countryErrors(requests).map((each, place) => ({ ...each, ...unspoken[place] }));
  if (items) return anyErrors('items', errors);
  return Object.keys(errors[0]!).length > 0 ? { item: errors[0]! } : undefined;
}

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
