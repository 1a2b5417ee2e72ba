import type { Deps } from '../../deps.ts';
import { findKeywords } from '../../platform/text/keywords.ts';
import { afterOpenMinutes } from '../../platform/time/week-hours.ts';
import { appendEvents } from '../timeline/index.ts';
import { announce } from '../webhooks/index.ts';
import { findInsightSettings, type InsightSettings } from './config.ts';
import { insertWatches } from './watch-queries.ts';

/** Something that a person wrote to one of the account's numbers. */
export interface Heard {
  uuid: string;
  /** Whom they wrote to, and who, as they are written; and what these are compared by. */
  number: string;
  person: string;
  numberDigits: string;
  personDigits: string;
  text: string;
  at: string;
  /** Whether an answer can be expected; to a reaction nobody says anything. */
  wantsAnswer: boolean;
}

export type WrittenChannel = 'CHATAPP' | 'SMS';
export const subjectTypes = { CHATAPP: 'message', SMS: 'sms' } as const;

/** Looks at what came in, in the transaction that stored it: spots keywords, and watches for the answers. */
export async function noticeInbound(deps: Deps, accountId: string, channel: WrittenChannel, heard: Heard[]) {
  if (heard.length === 0) return;
  const settings = await findInsightSettings(deps, accountId);
  if (!settings) return;
  await spotKeywords(deps, accountId, channel, heard, settings);
  const watched = heard.flatMap((one) => {
    const dueAt = one.wantsAnswer ? replyDueAt(settings, new Date(one.at)) : undefined;
    const { uuid: message, numberDigits: number, personDigits: person, at: since } = one;
    return dueAt ? [{ accountId, channel, number, person, message, since, dueAt }] : [];
  });
  await insertWatches(deps.db, watched);
}

/** Until when somebody who wrote should have been answered; undefined: nobody watches. */
export function replyDueAt(
  settings: Omit<InsightSettings, 'digest' | 'keyword_groups'>,
  since: Date,
): Date | undefined {
  const { reply_time_target_minutes: target, business_hours, zone } = settings;
  if (target === null) return undefined;
  if (business_hours === null) return new Date(since.getTime() + target * 60_000);
  return afterOpenMinutes(business_hours, zone, since, target);
}

async function spotKeywords(
  deps: Deps,
  accountId: string,
  channel: WrittenChannel,
  heard: Heard[],
  { keyword_groups }: InsightSettings,
): Promise<void> {
  const spotted = heard.flatMap((one) =>
    keyword_groups.flatMap(({ name: group, keywords }) => {
      const found = findKeywords(one.text, keywords);
      return found.length === 0 ? [] : [{ one, data: { group, keywords: found } }];
    }),
  );
  const subjectType = subjectTypes[channel];
  await appendEvents(
    deps.db,
    spotted.map(({ one, data }) => ({ accountId, subjectType, subject: one.uuid, kind: 'insight.keyword', data })),
  );
  await announce(
    deps.db,
    deps,
    spotted.map(({ one, data }) => ({
      accountId,
      type: 'insight.keyword',
      data: { ...data, channel, [subjectType]: one.uuid, number: one.number, from: one.person, text: one.text },
    })),
  );
}
