import type { Deps } from '../../../deps.ts';
import { keepLeads } from '../../leads/index.ts';
import { findOpenWindows, flowAnswerOf, type Received } from '../../messages/index.ts';
import { composeReply } from '../compose/reply.ts';
import { answersOf } from '../compose/variables.ts';
import { findIntros } from '../queries.ts';
import { closeSession } from './close.ts';
import { notifySessions, tellAgain, variablesOf } from './notify.ts';
import { type SessionRow, updateSessions } from './queries.ts';
import { noteSaid, sayAll } from './say.ts';
import { leadOf, type Start, startSessions } from './start.ts';
import { type Step, tellSteps } from './steps.ts';

/** A message within a session: from A, or from B or an agent who was notified of it. */
export interface Continuation {
  session: SessionRow;
  received: Received;
  by: 'APARTY' | 'BPARTY';
  /** A named the intro again. */
  again: boolean;
}

/** What is said again within this time is a repetition. */
const repetitionMs = 10 * 60_000;
/** How long to wait before A is replied to again, and B notified again. */
const againMs = 60 * 60_000;

/** What the messages of one batch ask for. */
interface Requested {
  /** B is to be told of answers. */
  answered: Set<SessionRow>;
  /** A is to be replied to and B to be told again. */
  again: Set<SessionRow>;
  /** A button tells B now. */
  notify: Set<SessionRow>;
  end: Map<SessionRow, Continuation['by']>;
  start: { continuation: Continuation; chatIntro: string }[];
}

/**
 * Continues sessions, which the caller has locked. It keeps the answers of flows and buttons. When a flow is answered, B is
 * notified at once instead of later or, if that has happened already, is told the answers. A button may do more, as the intro says.
 */
export async function proceed(deps: Deps, accountId: string, continuations: Continuation[]): Promise<void> {
  if (continuations.length === 0) return;
  const { at } = continuations.at(-1)!.received.message;
  const requested: Requested = { answered: new Set(), again: new Set(), notify: new Set(), end: new Map(), start: [] };
  const steps = continuations.flatMap((one) => listen(one, requested));
  const sessions = [...new Set(continuations.map(({ session }) => session))];
  steps.push(...(await notify(deps, accountId, requested, at)));
  steps.push(...(await replyAgain(deps, accountId, [...requested.again], at)));
  for (const [session, by] of requested.end) steps.push(...closeSession(session, by));
  await updateSessions(deps.db, accountId, sessions);
  await keepLeads(deps, accountId, sessions.filter((one) => requested.answered.has(one)).map(leadOf));
  await tellSteps(deps, accountId, steps);
  await startSessions(deps, accountId, await findStarts(deps, accountId, requested.start));
}

/** Notifies B once, whatever the reasons. */
async function notify(deps: Deps, accountId: string, requested: Requested, at: Date): Promise<Step[]> {
  const isFirst = (session: SessionRow): boolean => session.notify_due_at !== null && session.chain_step === 0;
  const wanted = [...requested.answered, ...requested.notify, ...requested.again];
  const first = new Set(wanted.filter(isFirst));
  const isTold = ({ chain_step }: SessionRow): boolean => chain_step > 0;
  const answered = [...requested.answered].filter((session) => isTold(session) && !first.has(session));
  const again = [...new Set([...requested.notify, ...requested.again])].filter(
    (session) => isTold(session) && !first.has(session) && !requested.answered.has(session),
  );
  return [
    ...(first.size > 0 ? await notifySessions(deps, accountId, [...first], at) : []),
    ...(await tellAgain(deps, accountId, answered, at, 'ANSWERS')),
    ...(await tellAgain(deps, accountId, again, at, 'AGAIN')),
  ];
}

async function replyAgain(deps: Deps, accountId: string, sessions: SessionRow[], at: Date): Promise<Step[]> {
  const sayings = sessions.flatMap((session) => {
    const composed = composeReply(session.intro, variablesOf(deps, session), session.flow_token);
    return composed
      ? [{ session, role: 'reply' as const, reason: 'AGAIN' as const, to: session.aparty_number, composed }]
      : [];
  });
  return (await sayAll(deps, accountId, sayings)).flatMap((said) => noteSaid(said, at));
}

/** Adds what one message says to the session, and what it asks for to `requested`. */
function listen(continuation: Continuation, requested: Requested): Step[] {
  const { session, received, by, again } = continuation;
  const at = received.message.at.toISOString();
  if (Date.parse(at) > Date.parse(session.last_activity_at)) session.last_activity_at = at;
  const message = received.row.uuid;
  const reaction = by === 'BPARTY' && session.reacted_at === null ? [react(session, at, message)] : [];
  const repetition = again ? [repeat(session, received.message.at, message, requested)] : [];
  return [...reaction, ...repetition, ...answer(continuation, requested)];
}

/** The first reaction of whoever was notified: then nobody else needs to be notified. */
function react(session: SessionRow, at: string, message: string): Step {
  session.reacted_at = at;
  if (session.chain_step > 0) session.notify_due_at = null;
  return { session, kind: 'reacted', data: { message } };
}

function repeat(session: SessionRow, at: Date, message: string, requested: Requested): Step {
  const isHeeded = since(session.started_at, at) >= repetitionMs && mayAskAgain(session, at);
  if (isHeeded) requested.again.add(session);
  return { session, kind: 'repeated', data: { message, heeded: isHeeded } };
}

const since = (moment: string | null, at: Date): number =>
  moment === null ? Number.POSITIVE_INFINITY : at.getTime() - Date.parse(moment);

/**
 * Whether B may be notified once more of the same; if so, the wait begins anew. This keeps A from running up the account's costs.
 */
function mayAskAgain(session: SessionRow, at: Date): boolean {
  if (since(session.repeated_at, at) < againMs) return false;
  session.repeated_at = at.toISOString();
  return true;
}

/** The answers of a flow, or a tapped button with what it does. */
function answer(continuation: Continuation, requested: Requested): Step[] {
  const { session, received, by } = continuation;
  const data = received.row.message_data as object;
  const answers = answersOf(data);
  if (Object.keys(answers).length === 0) return [];
  if (by === 'APARTY') {
    session.variables = { ...session.variables, answers: { ...session.variables.answers, ...answers } };
  }
  if (by === 'APARTY' && flowAnswerOf(data)) requested.answered.add(session);
  const action = actionOf(session, answers);
  const done = action && { action: action.action, heeded: heed(continuation, action, requested) };
  return [{ session, kind: 'answered', data: { answers, message: received.row.uuid, by, ...done } }];
}

type Action = SessionRow['intro']['button_actions'][string];

function actionOf({ intro }: SessionRow, { button_id, list_id }: Record<string, string>): Action | undefined {
  const id = button_id ?? list_id;
  const { button_actions: actions = {} } = intro;
  return id !== undefined && Object.hasOwn(actions, id) ? actions[id] : undefined;
}

/** Carries out a button, unless it would notify B for the second time within an hour. */
function heed(continuation: Continuation, { action, chat_intro: chatIntro }: Action, requested: Requested): boolean {
  const { session, received, by } = continuation;
  if (action === 'END') requested.end.set(session, by);
  else if (action === 'START') requested.start.push({ continuation, chatIntro: chatIntro! });
  else if (session.chain_step > 0 && !mayAskAgain(session, received.message.at)) return false;
  else requested.notify.add(session);
  return true;
}

/** What buttons start: another intro, with the A of the session. */
async function findStarts(deps: Deps, accountId: string, wanted: Requested['start']): Promise<Start[]> {
  if (wanted.length === 0) return [];
  const intros = await findIntros(
    deps.db,
    accountId,
    wanted.map(({ chatIntro }) => chatIntro),
  );
  const people = wanted.map(({ continuation: { session, received }, chatIntro }) => ({
    accountId,
    chatappAccount: session.chatapp_account,
    digits: session.aparty_digits,
    now: received.message.at,
    session,
    received,
    intro: intros.get(chatIntro),
  }));
  const open = await findOpenWindows(deps.db, people);
  return people.flatMap((person) => {
    const { intro, session, received, digits, now: at } = person;
    if (!intro) return [];
    const { aparty_number: number, aparty_name: name, variables } = session;
    const gathered = { ...variables, answers: {} };
    const message = received.row.uuid;
    const how = { how: 'BUTTON' as const, tied: false, message, isWindowOpen: open.has(person) };
    return [{ intro, number, digits, name, variables: gathered, at, ...how }];
  });
}
