import type { Deps } from '../../../deps.ts';
import { type Resending, resendMany } from '../../outbox/index.ts';
import { outbox } from '../deliver/states.ts';
import { findSmsIds, findToResend, type SmsToResend } from '../queries.ts';
import type { SmsCreate } from '../schemas.ts';
import { type NewSms, sendSmsAll } from './send.ts';

const way: Resending<SmsToResend> = {
  outbox,
  notFailed: 'sms_not_failed',
  async find(db, accountId, uuids) {
    const known = await findSmsIds(db, accountId, uuids);
    await outbox.lockStates(
      db,
      known.map((uuid) => ({ accountId, uuid })),
    );
    return findToResend(db, accountId, known);
  },
  contentOf: ({ text }) => text,
  send: (deps, sms) => sendSmsAll(deps, sms.map(again)),
};

/** Sends SMS that failed once more. */
export const resendManySms = (deps: Deps, accountId: string, uuids: string[]) =>
  resendMany(deps, accountId, uuids, way);

/** The request that it was made from, without its launch: the figures of a launch count each person once. */
const again = (row: SmsToResend): NewSms => ({
  accountId: row.account_id,
  request: {
    from: row.from_number,
    to: row.to_number,
    text: row.text,
    meta_data: row.meta_data,
    ...(row.callback_url !== null && { callback_url: row.callback_url }),
  } as SmsCreate,
});
