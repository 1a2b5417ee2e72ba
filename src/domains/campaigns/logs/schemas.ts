import { Type } from 'typebox';
import { PageOf, Timestamp, Uuid } from '../../../platform/http/openapi/models.ts';
import { nullable, record } from '../../../platform/http/validation/index.ts';
import { systemClock, timestamp } from '../../../platform/time/clock.ts';
import { paceOf, rateHistoryOf } from '../launches/pace.ts';
import { countLeft, countOf, countReached, countSkipped, logStatuses, skippedByReason } from '../launches/states.ts';
import { CampaignChannel } from '../schemas.ts';
import type { CountedLog } from './queries.ts';

export const CampaignLogStatus = Type.Enum([...logStatuses], { title: 'CampaignLogStatus' });

const count = (description?: string) => Type.Integer({ minimum: 0, ...(description && { description }) });

export const CampaignLog = Type.Object(
  {
    uuid: Uuid(),
    campaign: Uuid(),
    name: Type.String({ description: 'Of the campaign when it was launched.' }),
    channel: CampaignChannel,
    status: CampaignLogStatus,
    reason: Type.String({ description: 'Why it was paused.' }),
    paused_by: nullable(
      Type.Object(
        { type: Type.Enum(['USER', 'TOKEN']), uuid: Uuid('Of the user or the token.'), name: Type.String() },
        { title: 'CampaignPausedBy', description: 'null: it is not paused, or paused itself.' },
      ),
    ),
    send_at: nullable(Timestamp('When it begins; null: at once.')),
    audience: nullable(count('Who is on the lists when it starts; null before that.')),
    queued: count('Waiting to be sent, or not come to yet.'),
    held: count('Waiting for the end of their quiet hours.'),
    held_until: nullable(Timestamp('When the first of those that are held get it.')),
    sent: count(),
    delivered: count(),
    read: count(),
    failed: count(),
    cancelled: count('Messages that were taken back.'),
    opted_out: count('Left out because they had opted out.'),
    skipped: count('Left out for another reason.'),
    skipped_by_reason: record(count()),
    replied: count('Who wrote back within three days.'),
    clicked: count('Links that were opened.'),
    rate: Type.Number({ description: 'Messages that left per second, in the last minute.' }),
    eta: nullable(Timestamp('When it will be through at this rate; null: that cannot be told.')),
    started: nullable(Timestamp()),
    finished: nullable(Timestamp()),
    created: Timestamp(),
  },
  {
    title: 'CampaignLog',
    description:
      'One launch of a campaign. queued + held + sent + delivered + read + failed + cancelled + opted_out + skipped = audience.',
  },
);

export const CampaignLogDetail = Type.Object(
  {
    ...CampaignLog.properties,
    failed_by_reason: record(count(), {
      description: 'The 20 most frequent reasons. Above 10,000 failures: of the newest 10,000.',
    }),
    rate_history: Type.Array(
      Type.Object({ at: Timestamp('The beginning of the span.'), per_minute: Type.Number({ minimum: 0 }) }),
      {
        description:
          'Messages that left per minute, since the first did. A span is a minute, and longer where that makes more than 120.',
      },
    ),
  },
  { title: 'CampaignLogDetail', description: 'A launch, with why messages failed and how fast they left.' },
);
export const CampaignLogPage = PageOf(CampaignLog, 'CampaignLogPage');

export const OptedOutContact = Type.Object(
  {
    contact: Uuid(),
    phone_number: Type.String(),
    name: Type.String(),
    created: Timestamp('When the launch came to the contact.'),
  },
  { title: 'OptedOutContact' },
);
export const OptedOutContactPage = PageOf(OptedOutContact, 'OptedOutContactPage');

export function presentLog({ log, counts, firstDue, lastDue }: CountedLog, now = systemClock.now()) {
  const unreached = Math.max(0, (log.audience ?? 0) - countReached(counts));
  const queued = countOf(counts, 'queued') + unreached;
  const pace = log.status === 'RUNNING' ? paceOf(log.pace, now.getTime(), countLeft(counts)) : 0;
  return {
    uuid: log.uuid,
    campaign: log.campaign,
    name: log.snapshot.name,
    channel: log.snapshot.channel,
    status: log.status,
    reason: log.reason,
    paused_by: log.paused_by,
    send_at: log.start_at === '-infinity' ? null : log.start_at,
    audience: log.audience,
    queued,
    held: countOf(counts, 'held'),
    held_until: firstDue ?? null,
    sent: countOf(counts, 'sent'),
    delivered: countOf(counts, 'delivered'),
    read: countOf(counts, 'read'),
    failed: countOf(counts, 'failed'),
    cancelled: countOf(counts, 'cancelled'),
    opted_out: countOf(counts, 'opted_out'),
    skipped: countSkipped(counts),
    skipped_by_reason: skippedByReason(counts),
    replied: countOf(counts, 'replied'),
    clicked: countOf(counts, 'clicked'),
    rate: Math.round(pace * 10) / 10,
    eta: etaOf(queued, pace, lastDue, now),
    started: log.started_at,
    finished: log.finished_at,
    created: log.created,
  };
}

/** The same with what costs more than a look-up. */
export const presentLogDetail = (counted: CountedLog, failed_by_reason: Record<string, number>) => ({
  ...presentLog(counted),
  failed_by_reason,
  rate_history: rateHistoryOf(counted.log.history, countLeft(counted.counts)),
});

/** If people are held, it is not before the last of them may be written to. */
function etaOf(queued: number, pace: number, lastDue: string | undefined, now: Date): string | null {
  if (pace === 0) return lastDue ?? null;
  const through = now.getTime() + (queued / pace) * 1000;
  return timestamp(new Date(Math.max(through, lastDue === undefined ? 0 : Date.parse(lastDue))));
}

export const presentOptedOut = (row: {
  uuid: string;
  digits: string;
  created: string;
  phone_number: string | null;
  name: string | null;
}) => ({
  contact: row.uuid,
  phone_number: row.phone_number ?? `+${row.digits}`,
  name: row.name ?? '',
  created: row.created,
});
