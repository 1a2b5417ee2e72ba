import { Type } from 'typebox';
import type { Deps } from '../../../deps.ts';
import { notFound } from '../../../platform/errors.ts';
import { Timestamp } from '../../../platform/http/openapi/models.ts';
import { nullable } from '../../../platform/http/validation/index.ts';
import { findChatappAccount } from '../../chatapp-accounts/index.ts';
import { readQueue } from './queue.ts';

const mostCounted = 100_000;

export const SenderQueue = Type.Object(
  {
    depth: Type.Integer({ description: `Messages that wait to be handed over, counted up to ${mostCounted}.` }),
    oldest: nullable(Timestamp('When the first of them was accepted.')),
    messages_per_second: Type.Integer(),
    eta_seconds: Type.Number({ description: 'How long they take at this rate.' }),
    paused: Type.Boolean(),
  },
  { title: 'SenderQueue' },
);

/** What a sender has still to hand over, and how long that will take. */
export async function readSenderQueue({ db }: Deps, accountId: string, uuid: string) {
  const sender = await findChatappAccount(db, accountId, uuid);
  if (!sender) throw notFound();
  const { depth, oldest } = await readQueue(db, accountId, uuid, mostCounted);
  const { messages_per_second, paused } = sender;
  return { depth, oldest, messages_per_second, eta_seconds: depth / messages_per_second, paused };
}
