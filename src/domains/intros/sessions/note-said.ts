import type { SessionRow } from './queries.ts';
import type { Said } from './say.ts';
import { afterFailure, furthest } from './states.ts';
import type { Step } from './steps.ts';

/** Brings the session up to what was said, and answers the steps that this is. */
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

/** Whether something was to be said, and could not be. */
export const isFailed = (said: Said): boolean => 'problem' in said && !('needless' in said.composed);

/** Of a notification. After one that was not the last, somebody else has been notified all the same. */
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
