import type { Deps } from '../../../deps.ts';
import { appendEvents } from '../../timeline/index.ts';
import { announce, type WebhookEvent } from '../../webhooks/index.ts';
import type { SessionRow } from './queries.ts';

/**
 * The life of a session. It moves forward only; what it has skipped stays skipped.
 *
 *   STARTED ──▶ REPLIED ──▶ NOTIFIED ◀──▶ NOTIFY_FAILED
 *      │           │            ╰──────┬──────╯
 *      │           │                   ├──▶ CONNECTED
 *      ╰───────────┴───────────────────┴──▶ EXPIRED (seven quiet days), CLOSED (by a call or a button)
 *
 * A notification that fails takes NOTIFIED back, and the next one that leaves brings it again. A session that is CONNECTED
 * expires and is closed too, and keeps its status.
 */
export type SessionStatus = 'STARTED' | 'REPLIED' | 'NOTIFY_FAILED' | 'NOTIFIED' | 'CONNECTED' | 'EXPIRED' | 'CLOSED';

export const sessionStatuses: readonly SessionStatus[] = [
  'STARTED',
  'REPLIED',
  'NOTIFIED',
  'NOTIFY_FAILED',
  'CONNECTED',
  'EXPIRED',
  'CLOSED',
];

const order: readonly SessionStatus[] = ['STARTED', 'REPLIED', 'NOTIFY_FAILED', 'NOTIFIED', 'CONNECTED'];

/** Where a session stands after a step. */
export const furthest = (one: SessionStatus, other: SessionStatus): SessionStatus =>
  order.indexOf(other) > order.indexOf(one) ? other : one;

/** The status after a failed notification; a session in contact already keeps its status. */
export const afterFailure = (status: SessionStatus): SessionStatus =>
  status === 'STARTED' || status === 'REPLIED' || status === 'NOTIFIED' ? 'NOTIFY_FAILED' : status;

export const quietMs = 7 * 86_400_000;

/** Something that happened in a session: `chat_intro.<kind>` on the timeline, and to whoever listens. */
export interface Step {
  session: SessionRow;
  kind:
    | 'started'
    | 'replied'
    | 'repeated'
    | 'answered'
    | 'notified'
    | 'notify_failed'
    | 'reacted'
    | 'aparty_notified'
    | 'connected'
    | 'expired'
    | 'closed'
    | 'problem';
  data: Record<string, unknown>;
}

/** Writes steps down, in the caller's transaction. */
export async function tellSteps(deps: Deps, accountId: string, steps: Step[]): Promise<void> {
  await appendEvents(
    deps.db,
    steps.map(({ session, kind, data }) => ({
      accountId,
      subjectType: 'chat_intro',
      subject: session.chat_intro,
      kind: `chat_intro.${kind}`,
      data: { ...whoseOf(session), ...data },
    })),
  );
  await announce(
    deps.db,
    deps,
    steps.map((step) => eventOf(accountId, step)),
  );
}

const eventOf = (accountId: string, { session, kind, data }: Step): WebhookEvent => ({
  accountId,
  type: `chat_intro.${kind}`,
  data: {
    chat_intro: session.chat_intro,
    chatapp_number: session.intro.chatapp_number,
    reference_id: session.intro.reference_id,
    meta_data: session.intro.meta_data,
    ...whoseOf(session),
    ...data,
  },
});

const whoseOf = ({ uuid, aparty_number, aparty_digits }: SessionRow) => ({
  session: uuid,
  aparty_number,
  digits: aparty_digits,
});
