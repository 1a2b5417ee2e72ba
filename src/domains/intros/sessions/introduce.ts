import type { Deps } from '../../../deps.ts';
import { phoneDigits } from '../../../platform/phone.ts';
import { flowAnswerOf, type Incoming, type Received } from '../../messages/index.ts';
import { answersOf, tellingOf } from '../compose/variables.ts';
import { type Match, matchInbound } from '../match/match.ts';
import { findIntros } from '../queries.ts';
import { type Continuation, proceed } from './proceed.ts';
import { lockOpen, lockSessions } from './queries.ts';
import { type Start, startSessions } from './start.ts';

/** Types of messages that say nothing to an intro. */
const silent: ReadonlySet<string> = new Set(['REACTION', 'SYSTEM', 'UNSUPPORTED']);

/** What messages are meant for, by their uuids. */
export type Meant = ReadonlyMap<string, Match>;

/** Finds what messages are meant for that are about to be stored. */
export async function findMeant({ db }: Deps, accountId: string, incoming: Incoming[]): Promise<Meant> {
  // A number that writes to itself is nobody's lead.
  const speaking = incoming.filter(({ type, fromDigits, sender }) => !silent.has(type) && fromDigits !== sender.digits);
  const matches = await matchInbound(db, accountId, speaking.map(inboundOf));
  return new Map(speaking.flatMap(({ uuid }, index) => (matches[index] ? [[uuid, matches[index]]] : [])));
}

/** The `context_data` of messages within a session: which session it is. */
export const contextsOf = (incoming: Incoming[], meant: Meant): Map<Incoming, object> =>
  new Map(
    incoming.flatMap((one) => {
      const match = meant.get(one.uuid);
      if (!match || match.kind === 'intro') return [];
      return [[one, { chat_intro: match.chatIntro, session: match.session }]];
    }),
  );

/**
 * Hands messages to the intros that they are meant for, in the transaction that stored them: starts new sessions and continues open
 * ones. Answers the messages that others get, too: all except those that name an intro, answer a flow or tap a button.
 */
export async function introduce(
  deps: Deps,
  accountId: string,
  received: Received[],
  meant: Meant,
): Promise<Received[]> {
  const matched = received.flatMap((one): Matched[] => {
    const match = meant.get(one.row.uuid);
    return match ? [{ received: one, match }] : [];
  });
  if (matched.length === 0) return received;

  const meetings = await findMeetings(deps, accountId, matched);
  const started = await startSessions(
    deps,
    accountId,
    meetings.map(({ start }) => start),
  );
  const isStarted = new Set(started.map(({ chat_intro, aparty_digits }) => `${chat_intro} ${aparty_digits}`));
  const again = meetings.filter(({ start, received }) => !isStarted.delete(keyOf(start, received)));
  await proceed(deps, accountId, await findContinuations(deps, accountId, matched, again));
  const taken = new Set(matched.filter(isTaken).map((one) => one.received));
  return received.filter((one) => !taken.has(one));
}

/**
 * Whether a message was for the intro alone. Anything else that people write in a session goes to everybody who would get it
 * without the session.
 */
function isTaken({ received, match }: Matched): boolean {
  if (match.kind === 'intro' || match.how === 'FLOW_TOKEN') return true;
  const isReply = match.how === 'QUOTE' || match.how === 'NOTICE';
  return isReply && Object.keys(answersOf(received.row.message_data as object)).length > 0;
}

interface Matched {
  received: Received;
  match: Match;
}

interface Meeting {
  received: Received;
  start: Start;
}

const keyOf = ({ intro }: Start, { row }: Received): string => `${intro.uuid} ${phoneDigits(row.from_chatapp_number)}`;

function inboundOf({ sender, content, fromDigits, quoted }: Incoming) {
  const { text } = content as { text?: { body?: string } };
  return {
    chatappAccount: sender.uuid,
    text: text?.body ?? '',
    fromDigits,
    flowToken: flowAnswerOf(content)?.flow_token,
    quoted,
  };
}

/** The messages that name an intro, each as the start that it may be. */
async function findMeetings({ db }: Deps, accountId: string, matched: Matched[]): Promise<Meeting[]> {
  const naming = matched.flatMap(({ received, match }) => (match.kind === 'intro' ? [{ received, match }] : []));
  const intros = await findIntros(
    db,
    accountId,
    naming.map(({ match }) => match.chatIntro),
  );
  return naming.flatMap(({ received, match }) => {
    const intro = intros.get(match.chatIntro);
    if (!intro) return [];
    const { row, message } = received;
    const from = { number: row.from_chatapp_number, userId: null };
    const variables = { answers: {}, given: {}, told: tellingOf({ name: message.name, from }) };
    const person = {
      number: row.from_chatapp_number,
      digits: phoneDigits(row.from_chatapp_number),
      name: message.name,
      message: row.uuid,
      at: message.at,
    };
    return [{ received, start: { ...person, intro, how: match.how, tied: match.tied, variables, isWindowOpen: true } }];
  });
}

/** The sessions that go on: named by the message, or begun before by the same person. */
async function findContinuations(
  { db }: Deps,
  accountId: string,
  matched: Matched[],
  again: Meeting[],
): Promise<Continuation[]> {
  const named = matched.flatMap(({ received, match }) =>
    match.kind === 'intro' ? [] : [{ received, session: match.session, by: partyOf[match.kind] }],
  );
  const bySession = new Map(
    (
      await lockSessions(
        db,
        accountId,
        named.map(({ session }) => session),
      )
    ).map((row) => [row.uuid, row]),
  );
  const open = await lockOpen(
    db,
    accountId,
    again.map(({ start, received }) => ({
      chatIntro: start.intro.uuid,
      digits: phoneDigits(received.row.from_chatapp_number),
    })),
  );
  const byPerson = new Map(
    open.map((row) => [`${row.chat_intro} ${row.aparty_digits}`, bySession.get(row.uuid) ?? row]),
  );
  return [
    ...named.flatMap(({ received, session, by }) =>
      continuation(bySession.get(session), { received, by, again: false }),
    ),
    ...again.flatMap(({ start, received }) =>
      continuation(byPerson.get(keyOf(start, received)), { received, by: 'APARTY', again: true }),
    ),
  ];
}

const partyOf = { session: 'APARTY', notified: 'BPARTY' } as const;

const continuation = (
  session: Continuation['session'] | undefined,
  of: Omit<Continuation, 'session'>,
): Continuation[] => (session?.open ? [{ session, ...of }] : []);
