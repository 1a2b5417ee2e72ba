import type { Db } from '../../../platform/db/connect/pool.ts';
import type { OutboundSms, TakenPart } from '../../ports/sms.ts';
import { findTaken } from '../queries.ts';

/** What the sandbox keeps of an SMS that it took. */
export interface TakenSms {
  text: string;
  /** Those that were handed over at that time. */
  parts: number[];
  expires_at: string | null;
}

export const partId = (id: string, part: number): string => `${id}:${part}`;

export const contentOf = ({ segments, partsTaken, expiresAt }: OutboundSms): TakenSms => {
  const missing = segments.flatMap((text, index) => (partsTaken.has(index + 1) ? [] : [{ text, part: index + 1 }]));
  return {
    text: missing.map(({ text }) => text).join(''),
    parts: missing.map(({ part }) => part),
    expires_at: expiresAt?.toISOString() ?? null,
  };
};

export async function findTakenSms(db: Db, accountId: string, uuids: string[]): Promise<Map<string, TakenPart[]>> {
  const found = new Map<string, TakenPart[]>(uuids.map((uuid) => [uuid, []]));
  for (const { message, id, content } of await findTaken(db, accountId, uuids)) {
    const { parts } = content as unknown as TakenSms;
    found.get(message)!.push(...parts.map((part) => ({ part, id: partId(id, part) })));
  }
  return found;
}
