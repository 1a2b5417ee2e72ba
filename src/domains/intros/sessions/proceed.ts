import type { Deps } from '../../../deps.ts';
import { flowAnswerOf, type Received } from '../../messages/index.ts';
import { answersOf } from '../compose/variables.ts';
import { notifySessions } from './notify.ts';
import { type SessionRow, updateSessions } from './queries.ts';
import { type Step, tellSteps } from './steps.ts';

/** A message of a person within a session that they have. */
export interface Continuation {
  session: SessionRow;
  received: Received;
}

/**
 * Goes on with sessions, which the caller holds: the answers of flows and buttons are kept, and with a flow's answers B is
 * notified at once rather than later.
 */
export async function proceed(deps: Deps, accountId: string, continuations: Continuation[]): Promise<void> {
  if (continuations.length === 0) return;
  const steps = continuations.map(listen).filter((step) => step !== undefined);
  const sessions = [...new Set(continuations.map(({ session }) => session))];
  const answered = new Set(
    continuations.filter(({ received }) => flowAnswerOf(dataOf(received))).map(({ session }) => session),
  );
  const dueNow = sessions.filter((session) => answered.has(session) && session.notify_due_at !== null);
  if (dueNow.length > 0) {
    const { at } = continuations.at(-1)!.received.message;
    steps.push(...(await notifySessions(deps, accountId, dueNow, at)));
  }
  await updateSessions(deps.db, accountId, sessions);
  await tellSteps(deps, accountId, steps);
}

/** Takes in what one message says. */
function listen({ session, received }: Continuation): Step | undefined {
  const at = received.message.at.toISOString();
  if (Date.parse(at) > Date.parse(session.last_activity_at)) session.last_activity_at = at;
  const answers = answersOf(dataOf(received));
  if (Object.keys(answers).length === 0) return undefined;
  session.variables = { ...session.variables, answers: { ...session.variables.answers, ...answers } };
  return { session, kind: 'answered', data: { answers, message: received.row.uuid } };
}

const dataOf = ({ row }: Received): object => row.message_data as object;
