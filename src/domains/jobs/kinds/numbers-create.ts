import { type Static, Type } from 'typebox';
import type { Deps } from '../../../deps.ts';
import type { FieldErrors } from '../../../platform/errors.ts';
import { buyNumbers, countryErrors, NumberCreate, newSpeechErrors, presentNumber } from '../../numbers/index.ts';
import { anyErrors, itemKind } from '../running/items.ts';

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
