import { type RawBuilder, sql } from 'kysely';
import { alphabet, escapeSeptet, extension } from '../../../platform/sms-text/index.ts';
import { render } from '../../../platform/text/render.ts';

/** How long the SMS of each person will be, as SQL. */
export interface SmsMeasure {
  /** Whether it needs characters that GSM-7 does not have. */
  unicode: RawBuilder<boolean>;
  /** UTF-16 units or septets. */
  units: RawBuilder<number>;
}

const doubled = [...extension.values()].join('');
const gsm = [...alphabet].filter((_, septet) => septet !== escapeSeptet).join('') + doubled;
const without = (text: RawBuilder<string>, characters: string) =>
  sql<string>`translate(${text}, ${characters}::text, '')`;
const lengthOf = (text: RawBuilder<string>) => sql<number>`char_length(${text})`;
/** Characters of two UTF-16 units. */
const astral = sql.raw(String.raw`'[\U00010000-\U0010FFFF]'`);
/** What ASCII has and GSM-7 does not. */
const foreignAscii = sql.raw(String.raw`'[${'`'}\x01-\x09\x0B\x0E-\x1F\x7F]'`);

/** Most values are ASCII, which is seen at once; only others are compared with the whole alphabet. */
const isForeign = (value: RawBuilder<string>) => sql<boolean>`case when octet_length(${value}) = char_length(${value})
  then ${value} ~ ${foreignAscii} else ${without(value, gsm)} <> '' end`;

/**
 * The text without its placeholders is measured here, the values by the database. What must not be cut in half at the end of a part (a
 * character of two septets, an emoji) is not looked at: in rare cases a long text has one part more.
 */
export function measureSms(text: string, values: ReadonlyMap<string, RawBuilder<string>>): SmsMeasure {
  const empty = Object.fromEntries([...values.keys()].map((name) => [name, '']));
  const rest = render(text, empty).text;
  const used = [...values]
    .map(([name, value]) => ({ value, times: render(text, { ...empty, [name]: '.' }).text.length - rest.length }))
    .filter(({ times }) => times > 0);
  const sum = (fixed: number, each: (value: RawBuilder<string>) => RawBuilder<unknown>) => {
    const terms = used.map(({ value, times }) => sql`${times}::int * ${each(value)}`);
    return sql<number>`(${sql.join([sql`${fixed}::int`, ...terms], sql` + `)})`;
  };
  const isUnicode = [...rest].some((character) => !gsm.includes(character));
  const pairs = [...rest].filter((character) => doubled.includes(character)).length;
  const foreign = used.map(({ value }) => isForeign(value));
  const unicode = isUnicode ? sql<boolean>`true` : sql<boolean>`(${sql.join([sql`false`, ...foreign], sql` or `)})`;
  const septets = sum(
    rest.length + pairs,
    (value) => sql`(2 * ${lengthOf(value)} - ${lengthOf(without(value, doubled))})`,
  );
  const units = sum(
    rest.length,
    (value) => sql`(2 * ${lengthOf(value)} - ${lengthOf(sql`regexp_replace(${value}, ${astral}, '', 'g')`)})`,
  );
  return { unicode, units: sql<number>`case when ${unicode} then ${units} else ${septets} end` };
}

/** Over the columns `unicode` and `units`. */
export const smsParts = sql<number>`(case when unicode then case when units <= 70 then 1 else (units + 66) / 67 end
  when units <= 160 then 1 else (units + 152) / 153 end)`;
