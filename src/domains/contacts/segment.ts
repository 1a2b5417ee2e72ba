import { type RawBuilder, sql } from 'kysely';
import { type Static, Type } from 'typebox';
import type { Db } from '../../platform/db/connect/pool.ts';
import type { FieldErrors } from '../../platform/errors.ts';
import { type AttributeValue, limits, AttributeValue as Value } from './schemas.ts';

/** Part of an audience: who meets conditions on what is known of them. */

const columns = ['name', 'language_code', 'time_zone'] as const;
const attributePrefix = 'attributes.';

const comparing = ['EQ', 'NE', 'GT', 'GTE', 'LT', 'LTE', 'CONTAINS'] as const;
const listing = ['IN', 'NOT_IN'] as const;
const bare = ['SET', 'NOT_SET'] as const;

const SegmentCondition = Type.Object(
  {
    field: Type.String({
      pattern: `^(${columns.join('|')}|attributes\\.[^]{1,${limits.attributeName}})$`,
      'x-message': `Enter ${columns.join(', ')} or attributes.<name>.`,
      description: '`name`, `language_code`, `time_zone`, or `attributes.` and the name of an attribute.',
    }),
    operator: Type.Enum([...comparing, ...listing, ...bare], {
      description:
        'EQ, NE, GT, GTE, LT, LTE and CONTAINS have a `value`: a number is compared with numbers, a text letter by letter, ' +
        'which is the order of dates like 2026-03-01; CONTAINS takes no notice of case. IN and NOT_IN have a list of values, ' +
        'SET and NOT_SET none. What a person lacks is NE, NOT_IN and NOT_SET.',
    }),
    value: Type.Optional(Type.Union([Value, Type.Array(Value, { minItems: 1, maxItems: 100 })])),
  },
  { title: 'SegmentCondition' },
);
type Condition = Static<typeof SegmentCondition>;

export const Segment = Type.Array(SegmentCondition, {
  maxItems: 20,
  description: 'Conditions that people must meet, all of them, as they are when their turn comes. []: everybody.',
});
export type Segment = Static<typeof Segment>;

/** What the schema cannot say: whether each operator has the value that it needs. */
export function segmentErrors(segment: Segment): FieldErrors {
  const errors = segment.map((condition): FieldErrors => {
    const sentence = valueSentence(condition);
    return sentence ? { value: [sentence] } : {};
  });
  return errors.some(({ value }) => value) ? { segment: errors } : {};
}

function valueSentence({ operator, value }: Condition): string | undefined {
  const isAmong = (some: readonly string[]): boolean => some.includes(operator);
  if (isAmong(bare)) return value === undefined ? undefined : `${operator} has no value.`;
  if (value === undefined) return 'This field is required.';
  if (isAmong(listing)) return Array.isArray(value) ? undefined : 'Enter a list of values.';
  return Array.isArray(value) ? 'Enter one value.' : undefined;
}

/** Whether a row of `contacts` meets all conditions, as SQL. */
export const meets = (segment: Segment): RawBuilder<boolean> =>
  segment.length === 0 ? sql`true` : sql`(${sql.join(segment.map(isMet), sql` and `)})`;

function isMet({ field, operator, value }: Condition): RawBuilder<boolean> {
  const stored = storedIn(field);
  switch (operator) {
    case 'SET':
      return sql`coalesce(${stored}, '') <> ''`;
    case 'NOT_SET':
      return sql`coalesce(${stored}, '') = ''`;
    case 'IN':
      return sql`coalesce(${stored} = any (${textsOf(value)}::text[]), false)`;
    case 'NOT_IN':
      return sql`coalesce(${stored} <> all (${textsOf(value)}::text[]), true)`;
    case 'CONTAINS':
      return sql`coalesce(position(lower(${String(value)}::text) in lower(${stored})) > 0, false)`;
    case 'NE':
      return sql`coalesce(not (${compared(stored, '=', value)}), true)`;
    default:
      return sql`coalesce(${compared(stored, signs[operator], value)}, false)`;
  }
}

const signs = { EQ: '=', GT: '>', GTE: '>=', LT: '<', LTE: '<=' } as const;

/** null where either value is missing, or where only one of the two is a number. */
function compared(
  stored: RawBuilder<string | null>,
  sign: string,
  value: Condition['value'],
): RawBuilder<boolean | null> {
  const compare = sql.raw(sign);
  if (typeof value !== 'number') return sql`${stored} collate "C" ${compare} ${String(value)}::text collate "C"`;
  return sql`case when ${stored} ~ '^-?[0-9]{1,100}([.][0-9]{1,100})?$' then (${stored})::numeric ${compare} ${value}::numeric end`;
}

const storedIn = (field: string): RawBuilder<string | null> =>
  field.startsWith(attributePrefix)
    ? sql`(contacts.attributes ->> ${field.slice(attributePrefix.length)}::text)`
    : sql`${sql.ref(`contacts.${field}`)}`;

const textsOf = (value: Condition['value']): string[] => (value as AttributeValue[]).map(String);

/** Those of these contacts who meet the conditions. */
export async function findMeeting(
  db: Db,
  accountId: string,
  uuids: string[],
  segment: Segment,
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ uuid: string }>`
    select uuid from contacts
    where account_id = ${accountId} and uuid = any (${uuids}::uuid[]) and ${meets(segment)}`.execute(db);
  return new Set(rows.map(({ uuid }) => uuid));
}
