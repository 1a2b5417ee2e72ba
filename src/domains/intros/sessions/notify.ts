import type { Deps } from '../../../deps.ts';
import { originOf } from '../../../platform/config.ts';
import { phoneReader } from '../../accounts/index.ts';
import { findOpenWindows } from '../../messages/index.ts';
import {
  type Content,
  composeSms,
  composeTemplate,
  type Filled,
  type FilledSms,
  flowButton,
  type Problem,
} from '../compose/content.ts';
import { sessionVariables } from '../compose/variables.ts';
import { findLive } from '../queries.ts';
import { chainFields, findLastNotices, findNext, hasNext, insertNotices, isNotified, type Recipient } from './chain.ts';
import type { SessionRow } from './queries.ts';
import { isFailed, noteSaid, type Reason, type Said, type Saying, sayAll } from './say.ts';
import type { Step } from './steps.ts';

type ReadNumber = (number: string) => string;

/** What a session's placeholders are filled with. */
export const variablesOf = ({ config }: Pick<Deps, 'config'>, session: SessionRow): Record<string, string> =>
  sessionVariables(
    { ...session.variables, bpartyShortcode: session.bparty_shortcode, apartyShortcode: session.aparty_shortcode },
    session.intro,
    originOf(config),
  );

/** Whether A's template is sent with B's notification. It is sent at once if it asks for answers, or if B is not notified. */
export const waitsForNotice = ({ intro }: SessionRow): boolean =>
  isNotified(intro) && !flowButton(intro.aparty_notify_chatapp_template_components);

/** A's template; nothing when the intro has none or it was sent already. */
export function sayToAparty(deps: Deps, session: SessionRow): Saying[] {
  const { intro, aparty_message, aparty_number } = session;
  const name = intro.aparty_notify_chatapp_template_name;
  if (name === '' || aparty_message !== null) return [];
  const stored = { name, components: intro.aparty_notify_chatapp_template_components, params: [] };
  const composed = composeTemplate(stored, variablesOf(deps, session), session.flow_token);
  return [{ session, role: 'aparty_notify', to: aparty_number, composed }];
}

/**
 * Notifies the B of each session, and sends A's template if it waited for that. As in all functions below, the caller has locked
 * the sessions and stores them afterwards. Answers the steps that were taken.
 */
export async function notifySessions(deps: Deps, accountId: string, sessions: SessionRow[], at: Date): Promise<Step[]> {
  for (const session of sessions) session.notify_due_at = null;
  const live = await findLive(
    deps.db,
    accountId,
    sessions.map(({ chat_intro }) => chat_intro),
  );
  const isLive = ({ chat_intro }: SessionRow): boolean => live.has(chat_intro);
  const deleted = sessions.filter((session) => !isLive(session)).map(deletedStep);
  const going = sessions.filter(isLive);
  const toA = going.filter(({ connected_at }) => connected_at === null).flatMap((one) => sayToAparty(deps, one));
  return [...deleted, ...(await advance(deps, accountId, going, at, 'START', toA))];
}

const deletedStep = (session: SessionRow): Step => ({
  session,
  kind: 'problem',
  data: { step: 'notify', description: 'The intro was deleted.' },
});

/**
 * Notifies the next in the chain of each session. Where a notification is refused, goes on to the next one at once. `alongside` is
 * sent with the first ones.
 */
export async function advance(
  deps: Deps,
  accountId: string,
  sessions: SessionRow[],
  at: Date,
  reason: Reason,
  alongside: Saying[] = [],
): Promise<Step[]> {
  const read = await phoneReader(deps, accountId);
  const steps: Step[] = [];
  let [waiting, others, why] = [sessions, alongside, reason];
  while (waiting.length > 0 || others.length > 0) {
    const next = await findNext(deps, accountId, waiting, at);
    for (const session of waiting) session.notify_due_at = null;
    const sayings = [...next].map(([session, recipient]) => {
      session.chain_step += 1;
      session.reminded_at = null;
      return noticeOf(deps, session, recipient, why, read);
    });
    const said = await tell(deps, accountId, [...sayings, ...others], at, read, steps);
    const notices = said.filter(({ role }) => role === 'notify');
    for (const { session } of notices.filter(isSaid)) session.notify_due_at = nextDue(session, at);
    waiting = notices.filter(isFailed).map(({ session }) => session);
    [others, why] = [[], 'NEXT'];
  }
  return steps;
}

/** When a session is due again: to remind whoever was notified, or to notify the next. null: never. */
function nextDue({ intro, reminded_at, ...session }: SessionRow, at: Date): string | null {
  const { notify_timeout: timeout, notify_reminder: reminder } = chainFields(intro);
  const after = (seconds: number): string => new Date(at.getTime() + seconds * 1000).toISOString();
  if (reminder > 0 && reminded_at === null) return after(reminder);
  const goesOn = timeout > 0 && hasNext({ intro, reminded_at, ...session });
  return goesOn ? after(reminded_at === null ? timeout : timeout - reminder) : null;
}

/** Does what is due after a notification without a reaction: a reminder, then a notification of the next. */
export async function followUp(deps: Deps, accountId: string, sessions: SessionRow[], at: Date): Promise<Step[]> {
  const waiting = sessions.filter(({ connected_at, reacted_at }) => connected_at === null && reacted_at === null);
  for (const session of sessions) session.notify_due_at = null;
  const isReminded = ({ intro, reminded_at }: SessionRow) =>
    chainFields(intro).notify_reminder > 0 && reminded_at === null;
  const reminded = waiting.filter(isReminded);
  const others = waiting.filter((session) => !reminded.includes(session));
  const steps = await tellAgain(deps, accountId, reminded, at, 'REMINDER');
  for (const session of reminded) {
    session.reminded_at = at.toISOString();
    session.notify_due_at = nextDue(session, at);
  }
  return [...steps, ...(await advance(deps, accountId, others, at, 'NEXT'))];
}

/** Notifies those who were notified last once more. If nobody was, the chain starts again. */
export async function tellAgain(
  deps: Deps,
  accountId: string,
  sessions: SessionRow[],
  at: Date,
  reason: Extract<Reason, 'REMINDER' | 'AGAIN' | 'ANSWERS'>,
): Promise<Step[]> {
  if (sessions.length === 0) return [];
  const read = await phoneReader(deps, accountId);
  const last = await findLastNotices(
    deps.db,
    accountId,
    sessions.map(({ uuid }) => uuid),
  );
  const known = sessions.flatMap((session) => {
    const notice = last.get(session.uuid);
    if (!notice) return [];
    return [{ session, recipient: { channel: notice.channel, to: notice.to_number, agent: notice.agent } }];
  });
  const open = reason === 'ANSWERS' ? await findOpenTo(deps, accountId, known, at, read) : new Set<SessionRow>();
  const steps: Step[] = [];
  const sayings = known.map(({ session, recipient }) =>
    open.has(session)
      ? { ...noticeOf(deps, session, recipient, reason, read), composed: answersText(session) }
      : noticeOf(deps, session, recipient, reason, read),
  );
  await tell(deps, accountId, sayings, at, read, steps);
  const unknown = sessions.filter((session) => !last.has(session.uuid) && isNotified(session.intro));
  for (const session of unknown) session.chain_step = 0;
  return [...steps, ...(await advance(deps, accountId, unknown, at, 'START'))];
}

/** Sends notifications, and notes what became of them. */
async function tell(
  deps: Deps,
  accountId: string,
  sayings: Saying[],
  at: Date,
  read: ReadNumber,
  steps: Step[],
): Promise<Said[]> {
  const said = await sayAll(deps, accountId, sayings);
  steps.push(...said.flatMap((one) => noteSaid(one, at)));
  await insertNotices(
    deps.db,
    accountId,
    said.flatMap((one) => {
      if (!('message' in one) || !one.recipient) return [];
      const { channel, to, agent } = one.recipient;
      const { uuid: session, chatapp_account } = one.session;
      const recipient = { channel, to_number: to, to_digits: read(to), agent };
      return [{ message: one.message, session, chatapp_account, ...recipient, sent_at: at.toISOString() }];
    }),
  );
  return said;
}

const isSaid = (said: Said): boolean => 'message' in said;

/** A notification, ready to be said. */
function noticeOf(deps: Deps, session: SessionRow, recipient: Recipient, reason: Reason, read: ReadNumber): Saying {
  const composed = composeNotice(deps, session, recipient, read);
  return { session, role: 'notify', to: recipient.to, composed, recipient, reason };
}

function composeNotice(
  deps: Deps,
  session: SessionRow,
  { channel, to }: Recipient,
  read: ReadNumber,
): Filled | FilledSms | Problem {
  const { intro, flow_token } = session;
  if (to === '') return { problem: 'There is no number to notify.' };
  if (read(to) === session.aparty_digits) {
    return { problem: 'The person to notify is the one who wrote the message.', needless: true };
  }
  const variables = variablesOf(deps, session);
  if (channel === 'SMS') {
    const { notify_sms_from: from, notify_sms_template: template } = chainFields(intro);
    return composeSms({ from, template }, variables);
  }
  const stored = {
    name: intro.notify_chatapp_template_name,
    components: intro.notify_chatapp_template_components,
    params: intro.notify_chatapp_template_params,
  };
  return composeTemplate(stored, variables, flow_token);
}

/** The sessions whose recipient wrote within a day, and so may be sent any text. */
async function findOpenTo(
  deps: Deps,
  accountId: string,
  known: { session: SessionRow; recipient: Recipient }[],
  at: Date,
  read: ReadNumber,
): Promise<Set<SessionRow>> {
  const people = known
    .filter(({ recipient }) => recipient.channel === 'CHATAPP')
    .map(({ session, recipient }) => ({
      accountId,
      chatappAccount: session.chatapp_account,
      digits: read(recipient.to),
      now: at,
      session,
    }));
  return new Set([...(await findOpenWindows(deps.db, people))].map(({ session }) => session));
}

/** What A answered, a line for each. */
function answersText({ aparty_name, aparty_number, variables }: SessionRow): Filled {
  const who = aparty_name === '' ? aparty_number : `${aparty_name} (${aparty_number})`;
  const lines = Object.entries(variables.answers).map(([name, value]) => `${name}: ${value}`);
  const body = [who, ...lines].join('\n').slice(0, 4096).toWellFormed();
  const content: Content = { type: 'TEXT', text: { body } };
  return { content, missing: [] };
}
