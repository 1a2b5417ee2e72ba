import type { Db } from '../../../platform/db/connect/pool.ts';
import { type Abandoned, endedColumns, makeOutbox, type Standing } from '../../outbox/index.ts';

/** The outbox of chats: a message waits in the queue of its sender. */
export const outbox = makeOutbox<LockedMessage, AbandonedMessage>({
  name: 'messages',
  states: 'message_states',
  accepted: 'messages',
  standings: 'message_states',
  subject: 'message',
  topic: 'messages',
  locked: 'callback_url',
  carrierId: 'carrier_message_id',
  owner: 'chatapp_account',
  recovered: {
    columns: 'sender.carrier',
    joins: `join chatapp_accounts as sender on sender.account_id = state.account_id and sender.uuid = state.chatapp_account`,
  },
  // A look into the index per status: what still waits is not read.
  lastEnded: `select newest.* from (values ('SENT'), ('DELIVERED'), ('READ'), ('FAILED'), ('CANCELLED')) as ended (status)
    cross join lateral (
      select ${endedColumns} from message_states
      where account_id = $1 and campaign_log = $2 and status = ended.status and uuid > $3
      order by uuid desc limit $4) as newest
    order by newest.uuid desc limit $4`,
  cancelledWithLaunch: 'Its campaign was cancelled.',
});

export interface LockedMessage extends Standing {
  callback_url: string | null;
}

export interface AbandonedMessage extends Abandoned {
  chatapp_account: string;
  carrier: string;
}

export const { holdLaunch, releaseLaunch, lastEnded, markAccount } = outbox;

/** Proof that no message is lost: see `outbox/ledger.ts`. */
export const readLedger = (db: Db, accountId: string) =>
  outbox.readLedger(db, accountId, ['delivered', 'read', 'failed', 'cancelled']);
