import type { SmsEvent } from '../../../carriers/ports/sms.ts';
import type { Deps } from '../../../deps.ts';
import { newId } from '../../../platform/ids.ts';
import { joinParts as readJoined } from '../../../platform/sms-parts/index.ts';
import { addressKey } from '../addresses.ts';
import { type LongPart, lockLong, storeLong } from './inbound-queries.ts';

export type WrittenSms = Extract<SmsEvent, { kind: 'message' }>;

/** A whole text that a person wrote. */
export interface Written {
  uuid: string;
  from: string;
  to: string;
  text: string;
  encoding: string;
  segments: number;
  at: Date;
  /** Some of its parts never came. */
  isIncomplete?: boolean;
}

/**
 * Joins parts of long messages with the parts that came before. Answers the texts that are whole now, in the order in which they
 * came.
 */
export async function joinParts(
  { db }: Deps,
  link: { accountId: string; uuid: string },
  messages: WrittenSms[],
): Promise<Written[]> {
  const long = messages.flatMap((message) => partOf(message) ?? []);
  if (long.length === 0) return messages.map(wholeOf);
  const keys = [...Map.groupBy(long, keyOf).values()].map(([first]) => first!);
  const before = await lockLong(db, link.accountId, link.uuid, keys);
  const texts = new Map([...Map.groupBy(before, keyOf)].map(([key, parts]) => [key, new Map(parts.map(byNumber))]));
  const written = messages.flatMap((message): Written[] => {
    const part = partOf(message);
    return part ? add(texts, part) : [wholeOf(message)];
  });
  const after = [...texts.values()].flatMap((parts) => [...parts.values()]);
  await storeLong(db, link.accountId, link.uuid, keys, after);
  return written;
}

/** Adds a part to the texts that are still incomplete; answers those that end with it. */
function add(texts: Map<string, Map<number, LongPart>>, part: LongPart): Written[] {
  const key = keyOf(part);
  const parts = texts.get(key) ?? new Map<number, LongPart>();
  const same = parts.get(part.part);
  if (same?.text === part.text) return [];
  // Another text with the same reference: phones begin to count anew after 256. The earlier text will not be completed any more.
  const given = same && same.sms === null ? [incompleteOf([...parts.values()])] : [];
  const now = same ? new Map<number, LongPart>() : parts;
  texts.set(key, now.set(part.part, part));
  if (now.size < part.total) return given;
  const whole = textOf([...now.values()]);
  for (const [number, one] of now) now.set(number, { ...one, sms: whole.uuid });
  return [...given, whole];
}

/** The text of those parts that came. */
export const incompleteOf = (parts: LongPart[]): Written => ({ ...textOf(parts), isIncomplete: true });

function textOf(parts: LongPart[]): Written {
  const inOrder = parts.toSorted((a, b) => a.part - b.part);
  const { fromNumber: from, toNumber: to, encoding, at } = inOrder[0]!;
  const raw = inOrder.flatMap((part) => part.raw ?? []);
  const whole = raw.length === parts.length ? readJoined(raw) : inOrder.map((part) => part.text).join('');
  return { uuid: newId(), from, to, text: whole, encoding, segments: parts.length, at };
}

function partOf({ from, to, text, encoding, part, at }: WrittenSms): LongPart | undefined {
  if (!part || part.total < 2) return undefined;
  const between = { fromNumber: from, toNumber: to, fromDigits: addressKey(from), toDigits: addressKey(to) };
  return { ...between, ...part, raw: part.raw ?? null, text, encoding, at, sms: null };
}

const wholeOf = ({ from, to, text, encoding, at }: WrittenSms): Written => ({
  uuid: newId(),
  from,
  to,
  text,
  encoding,
  segments: 1,
  at,
});

const keyOf = ({ fromDigits, toDigits, reference, total }: LongPart): string =>
  JSON.stringify([fromDigits, toDigits, reference, total]);

const byNumber = (part: LongPart): [number, LongPart] => [part.part, part];
