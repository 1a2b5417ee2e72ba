import { Type } from 'typebox';
import type { FieldErrors } from '../../../platform/errors.ts';
import { MessageCreate, messageErrors, sendMessages } from '../../messages/index.ts';
import { anyErrors, itemKind, sent } from '../running/items.ts';

/** Sends chat-app messages. */
export const messagesSend = itemKind({
  type: 'messages.send',
  scope: 'inbox:write',
  Input: Type.Object(
    { messages: Type.Array(MessageCreate, { minItems: 1, maxItems: 10_000 }) },
    { title: 'MessagesSendInput' },
  ),
  check: async (_deps, _accountId, { messages }) =>
    anyErrors(
      'messages',
      messages.map((message) => (messageErrors(message) ?? {}) as FieldErrors),
    ),
  batchSize: 500,
  itemsOf: ({ messages }) => messages,
  perform: async (deps, accountId, items) =>
    sent(
      await sendMessages(
        deps,
        items.map((request) => ({ accountId, request })),
      ),
    ),
});
