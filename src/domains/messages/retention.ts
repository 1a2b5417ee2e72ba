import { sql } from 'kysely';
import type { RetentionRule } from '../../platform/db/retention.ts';

/**
 * What waits to leave stays, however old. What waits for a receipt alone, because it was sent or because the answer to its
 * hand-over never came, stays for 30 days: so long the chat platform tries to deliver a message, and then no receipt comes.
 */
export const messageRetention: RetentionRule = {
  kind: 'messages',
  tables: [
    { name: 'message_states', key: 'uuid' },
    { name: 'messages', key: 'uuid' },
  ],
  waiting: {
    when: () => sql`status in ('QUEUED', 'SENT')
      and (status = 'QUEUED' and due_at < 'infinity' or modified > now() - interval '30 days')`,
  },
};

/** A conversation goes when the person has not written for so long. */
export const conversationRetention: RetentionRule = {
  tables: [{ name: 'chat_people', key: 'last_inbound' }],
  second: 'digits',
  isWhole: true,
};
