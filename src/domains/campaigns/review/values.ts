import { type RawBuilder, sql } from 'kysely';
import { foldedName } from '../feed/compose.ts';

/** The value of a placeholder for a row of `contacts`, as SQL: the same that `makeVariables` finds in a launch. */
export interface PlaceholderValue {
  name: string;
  /** The text; '' where there is none. */
  text: RawBuilder<string>;
  /** false: a fallback always stands for it. */
  canMiss: boolean;
}

const fields = new Map<string, RawBuilder<string>>([
  ['name', sql`contacts.name`],
  ['firstname', sql`split_part(ltrim(translate(contacts.name, E'\t\n\r\u00a0', '    ')), ' ', 1)`],
  ['phonenumber', sql`contacts.phone_number`],
  ['languagecode', sql`contacts.language_code`],
]);

/** `attributeNames`: all names that attributes of the audience have. */
export function placeholderValue(
  name: string,
  attributeNames: readonly string[],
  fallbacks: Readonly<Record<string, string>>,
): PlaceholderValue {
  const key = foldedName(name);
  const instead = Object.entries(fallbacks).findLast(([other]) => foldedName(other) === key)?.[1];
  const spellings = attributeNames.filter((other) => foldedName(other) === key);
  // In a launch, too, the spelling of the placeholder itself comes first, then the order that jsonb keeps keys in.
  const ordered = spellings.toSorted((a, b) => Number(b === name) - Number(a === name) || a.length - b.length);
  const attribute = ordered.map((spelling) => sql<string>`contacts.attributes ->> ${spelling}::text`);
  const field = fields.get(key);
  const sources = [
    ...(field ? [sql`nullif(${field}, '')`] : []),
    ...(attribute.length > 0 ? [sql`nullif(coalesce(${sql.join(attribute)}, ''), '')`] : []),
    sql`${instead ?? ''}::text`,
  ];
  return { name, text: sql<string>`coalesce(${sql.join(sources)})`, canMiss: instead === undefined };
}

/** A name that contacts have and that differs from this one by one or two letters: a typo, most likely. */
export function similarName(name: string, known: readonly string[]): string | null {
  const key = foldedName(name);
  const most = key.length <= 4 ? 1 : 2;
  const near = known
    .map((other) => ({ other, steps: distance(key, foldedName(other), most) }))
    .filter(({ steps }) => steps > 0 && steps <= most)
    .sort((a, b) => a.steps - b.steps);
  return near[0]?.other ?? null;
}

/** How many letters have to be added, dropped or changed; names that differ more in length are not looked at. */
function distance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let before = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row++) {
    const now = [row];
    for (let column = 1; column <= b.length; column++) {
      const change = before[column - 1]! + Number(a[row - 1] !== b[column - 1]);
      now.push(Math.min(change, before[column]! + 1, now[column - 1]! + 1));
    }
    before = now;
  }
  return before[b.length]!;
}
