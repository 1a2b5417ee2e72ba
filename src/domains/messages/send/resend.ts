import type { Deps } from '../../../deps.ts';
import { type Resending, resendMany } from '../../outbox/index.ts';
import { requestOf } from '../content/content.ts';
import { outbox } from '../deliver/move.ts';
import { findToResend, lockQueued, type MessageToResend } from '../queries.ts';
import type { MessageCreate } from '../schemas.ts';
import { type NewMessage, sendMessages } from './send.ts';

const way: Resending<MessageToResend> = {
  outbox,
  notFailed: 'message_not_failed',
  async find(db, accountId, uuids) {
    await lockQueued(db, accountId, uuids);
    return findToResend(db, accountId, uuids);
  },
  contentOf: ({ message_data }) => message_data,
  send: (deps, messages) => sendMessages(deps, messages.map(again)),
};

/** Sends messages that failed once more. */
export const resendMessages = (deps: Deps, accountId: string, uuids: string[]) =>
  resendMany(deps, accountId, uuids, way);

/** The request that it was made from, without its launch: the figures of a launch count each person once. */
function again(row: MessageToResend): NewMessage {
  const { message_uuid } = row.context_data as { message_uuid?: string };
  return {
    accountId: row.account_id,
    ...(row.chat_intro !== null && { chatIntro: row.chat_intro }),
    request: {
      ...requestOf(row.type, row.message_data as object),
      type: row.type,
      chatapp_number: row.chatapp_number,
      to_chatapp_number: row.to_chatapp_number,
      meta_data: row.meta_data,
      ...(message_uuid && { context: { message_uuid } }),
      ...(row.callback_url !== null && { callback_url: row.callback_url }),
    } as MessageCreate,
  };
}
