/**
 * How a channel keeps the states of what it sends: what the SQL of the outbox is made from. All of it is text of ours, and the
 * statements are made of it once, when the channel's module is loaded.
 */
export interface StatesTable {
  /** Of the prepared statements. */
  name: 'messages' | 'sms';
  states: 'message_states' | 'sms_states';
  /** Where everything is counted that was accepted, and where each of that stands. */
  accepted: 'messages' | 'sms';
  standings: 'message_states' | 'sms_standings';
  /** What timelines call one: the type of their subject and the first word of its events. */
  subject: 'message' | 'sms';
  /** By which delivery is told that something new is queued. */
  topic: string;
  /** Columns that are locked beside `account_id`, `uuid`, `status` and `campaign_log`. */
  locked: string;
  /** A column for the carrier's id, if it has one. */
  carrierId?: 'carrier_message_id';
  /** What else is set when something is put back. */
  setOnPutBack?: string;
  /** The column of the queue or link it belongs to; what else is to be known for a recovery, and where that stands. */
  owner: 'chatapp_account' | 'link';
  recovered: { columns: string; joins: string };
  /**
   * The newest of a launch that are not queued any more, by the index that the table has for that: $1 account, $2 launch, $3 the one
   * after which they come, $4 how many.
   */
  lastEnded: string;
  /** What is told of one that is cancelled with its launch. */
  cancelledWithLaunch: string;
}

export const endedColumns = 'uuid, status, status_description, failure_code';
