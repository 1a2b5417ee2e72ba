import { phoneReader } from '../accounts/index.ts';
import { countReplies, findLaunchesOf } from '../campaigns/index.ts';
import { noticeInbound } from '../insights/index.ts';
import type { ReceivedSms, SmsHooks } from '../sms/index.ts';
import { routeLater } from './route/route.ts';

/** What happens with texts that people write, beyond storing them. */
export const smsHooks: SmsHooks = {
  async findLaunches(db, people) {
    const writers = people.map((person) => ({ ...person, channel: 'SMS' as const }));
    const launches = await findLaunchesOf(db, writers);
    return writers.map((writer) => launches.get(writer));
  },
  async onReceived(deps, accountId, received) {
    const others = received.filter(({ isKeyword }) => !isKeyword);
    const read = await phoneReader(deps, accountId);
    await noticeInbound(
      deps,
      accountId,
      'SMS',
      others.map((one) => heardOf(one, read)),
    );
    await routeLater(
      deps,
      accountId,
      'SMS',
      others.map(({ row }) => row.uuid),
    );
    await countReplies(
      deps.db,
      received.flatMap(({ campaignLog, row }) =>
        campaignLog === null ? [] : [{ accountId, campaignLog, digits: read(row.from_number) }],
      ),
    );
  },
};

const heardOf = ({ row }: ReceivedSms, read: (number: string) => string) => ({
  uuid: row.uuid,
  number: row.to_number,
  person: row.from_number,
  numberDigits: read(row.to_number),
  personDigits: read(row.from_number),
  text: row.text,
  at: row.created,
  // A name cannot be written to.
  wantsAnswer: !/\p{L}/u.test(row.from_number),
});
