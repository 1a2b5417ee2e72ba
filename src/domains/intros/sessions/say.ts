import type { Deps } from '../../../deps.ts';
import { sentenceOf, ValidationError } from '../../../platform/errors.ts';
import { resolveSenders } from '../../chatapp-accounts/index.ts';
import { sendMessages } from '../../messages/index.ts';
import { findAccountLinks, sendSmsAll } from '../../sms/index.ts';
import type { Filled, FilledSms, Problem } from '../compose/content.ts';
import type { Recipient } from './chain.ts';
import type { SessionRow } from './queries.ts';
import { afterFailure, furthest, type Step } from './steps.ts';

/** Why somebody is notified: at the start, as the next in the chain, once more, or because A answered. */
export type Reason = 'START' | 'NEXT' | 'REMINDER' | 'AGAIN' | 'ANSWERS';

/** Something to be said on behalf of a session, or the reason why it cannot be. */
export interface Saying {
  session: SessionRow;
  role: 'reply' | 'notify' | 'aparty_notify';
  to: string;
  composed: Filled | FilledSms | Problem;
  /** Of a notification: who gets it, and why. */
  recipient?: Recipient;
  reason?: Reason;
}

/** What became of it: the message or SMS that was accepted, or why there is none. */
export type Said = Saying & ({ message: string } | { problem: string });

/** Sends what is to be said, in the caller's transaction; what is refused is not sent, and says why. */
export async function sayAll(deps: Deps, accountId: string, sayings: Saying[]): Promise<Said[]> {
  const results = new Map<Saying, PromiseSettledResult<{ uuid: string }>>();
  await sayByChat(deps, accountId, sayings, results);
  await sayBySms(deps, accountId, sayings, results);
  return sayings.map((saying): Said => {
    const result = results.get(saying);
    if (!result) return { ...saying, problem: (saying.composed as Problem).problem };
    if (result.status === 'fulfilled') return { ...saying, message: result.value.uuid };
    return { ...saying, problem: reasonOf(result.reason) };
  });
}

type Results = Map<Saying, PromiseSettledResult<{ uuid: string }>>;

async function sayByChat(deps: Deps, accountId: string, sayings: Saying[], into: Results): Promise<void> {
  const sayable = sayings.filter(({ composed }) => 'content' in composed);
  const results = await sendMessages(
    deps,
    sayable.map(({ session, to, composed }) => ({
      accountId,
      chatIntro: session.chat_intro,
      request: {
        ...(composed as Filled).content,
        chatapp_number: session.intro.chatapp_number,
        to_chatapp_number: to,
      },
    })),
  );
  for (const [index, saying] of sayable.entries()) into.set(saying, results[index]!);
}

async function sayBySms(deps: Deps, accountId: string, sayings: Saying[], into: Results): Promise<void> {
  const sayable = sayings.filter(({ composed }) => 'sms' in composed);
  if (sayable.length === 0) return;
  const trial = await findTrial(deps, accountId, sayable);
  for (const saying of trial) into.set(saying, { status: 'rejected', reason: fromTrial() });
  const real = sayable.filter((saying) => !trial.has(saying));
  const results = await sendSmsAll(
    deps,
    real.map(({ session, to, composed }) => ({
      accountId,
      request: {
        ...(composed as FilledSms).sms,
        to,
        meta_data: { chat_intro: session.chat_intro, session: session.uuid },
      },
    })),
  );
  for (const [index, saying] of real.entries()) into.set(saying, results[index]!);
}

const fromTrial = () =>
  new ValidationError({ non_field_errors: ['The chat is in the sandbox, and an SMS would reach a real person.'] });

/** Notifications by SMS that would reach real people, from sessions whose chat is on the sandbox. */
async function findTrial(deps: Deps, accountId: string, sayings: Saying[]): Promise<Set<Saying>> {
  const links = (await findAccountLinks(deps, [accountId])).get(accountId);
  if (!links?.isLive) return new Set();
  const senders = await resolveSenders(
    deps,
    sayings.map(({ session }) => ({ accountId, chatappNumber: session.intro.chatapp_number })),
  );
  return new Set(sayings.filter((_, index) => deps.carriers.trials.has(senders[index]?.carrier ?? '')));
}

/** Errors of the message itself become a sentence of the log; any other error is a fault of ours and is thrown. */
function reasonOf(error: unknown): string {
  if (error instanceof ValidationError) return sentenceOf(error.errors);
  if (error instanceof Error && error.name === 'ApiError') return error.message;
  throw error;
}

/** Updates the session after something was sent; answers the steps that this makes. */
export function noteSaid(said: Said, at: Date): Step[] {
  const { session, role } = said;
  if ('problem' in said) {
    const problem: Step = { session, kind: 'problem', data: { step: role, description: said.problem } };
    const isStep = role === 'notify' && (said.reason === 'START' || said.reason === 'NEXT');
    return isStep && isFailed(said)
      ? [problem, noteFailure(session, { to: said.to, description: said.problem, isLast: true }, at)]
      : [problem];
  }
  if (role === 'aparty_notify') {
    session.aparty_message = said.message;
    return [{ session, kind: 'aparty_notified', data: { message: said.message, missing: missingOf(said) } }];
  }
  return [role === 'notify' ? noteNotified(said, at) : noteReplied(said, at)];
}

/** Whether something was needed and could not be sent. */
export const isFailed = (said: Said): boolean => 'problem' in said && !('needless' in said.composed);

/** A notification that failed. If it was not the last one, somebody else has been notified since. */
interface Failure {
  to: string;
  description: string;
  isLast: boolean;
}

/** A notification failed: at once, or later on its way. */
export function noteFailure(session: SessionRow, { to, description, isLast }: Failure, at: Date): Step {
  session.notify_failed_at = at.toISOString();
  if (isLast) session.status = afterFailure(session.status);
  const isLost = isLast && session.status === 'NOTIFY_FAILED';
  if (isLost) session.notified_at = null;
  const status = isLost ? { status: 'NOTIFY_FAILED' } : {};
  return { session, kind: 'notify_failed', data: { bparty_number: to, description, ...status } };
}

function noteNotified(said: Said & { message: string }, at: Date): Step {
  const { session, recipient, reason = 'START', message, to } = said;
  const bySms = recipient?.channel === 'SMS';
  const isStep = reason === 'START' || reason === 'NEXT';
  if (!bySms) session.notify_message = message;
  if (isStep) {
    session.notified_at ??= at.toISOString();
    session.status = furthest(session.status, 'NOTIFIED');
  }
  const data = {
    bparty_number: to,
    ...(bySms ? { sms: message } : { message }),
    missing: missingOf(said),
    reason,
    ...(recipient?.agent && { agent: recipient.agent }),
    ...(isStep && { status: 'NOTIFIED' }),
  };
  return { session, kind: 'notified', data };
}

function noteReplied(said: Said & { message: string }, at: Date): Step {
  const { session, message, reason } = said;
  const { alternative = false } = said.composed as { alternative?: boolean };
  const data = { message, alternative, missing: missingOf(said) };
  if (reason === 'AGAIN') {
    session.repeat_message = message;
    return { session, kind: 'replied', data: { ...data, again: true } };
  }
  session.reply_message = message;
  session.replied_at = at.toISOString();
  session.status = furthest(session.status, 'REPLIED');
  return { session, kind: 'replied', data: { ...data, status: 'REPLIED' } };
}

const missingOf = ({ composed }: Said): string[] => (composed as { missing: string[] }).missing;
