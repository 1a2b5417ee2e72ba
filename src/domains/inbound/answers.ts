import type { Db } from '../../platform/db/connect/pool.ts';
import { phoneDigits } from '../../platform/phone.ts';
import { countReplies, findLaunchesOf } from '../campaigns/index.ts';
import type { Arrival, Received } from '../messages/index.ts';

/** Notes of each message which launch of a campaign it answers, if any. */
export async function attribute(db: Db, accountId: string, arrivals: Arrival[]): Promise<Arrival[]> {
  const writers = arrivals.flatMap((arrival) => {
    const { number } = arrival.message.from;
    if (number === null) return [];
    const [sender, digits] = [arrival.sender.digits, phoneDigits(number)];
    return [{ accountId, channel: 'CHATAPP' as const, sender, digits, arrival }];
  });
  if (writers.length === 0) return arrivals;
  const launches = new Map([...(await findLaunchesOf(db, writers))].map(([{ arrival }, log]) => [arrival, log]));
  return arrivals.map((arrival) => ({ ...arrival, campaignLog: launches.get(arrival) }));
}

/** Counts those who answered. */
export const countAnswers = (db: Db, accountId: string, received: Received[]): Promise<void> =>
  countReplies(
    db,
    received.flatMap(({ campaignLog, row }) =>
      campaignLog === undefined ? [] : [{ accountId, campaignLog, digits: phoneDigits(row.from_chatapp_number) }],
    ),
  );
