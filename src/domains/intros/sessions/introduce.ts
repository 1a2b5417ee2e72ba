import type { Deps } from '../../../deps.ts';
import { phoneDigits } from '../../../platform/phone.ts';
import { flowAnswerOf, type Received } from '../../messages/index.ts';
import { tellingOf } from '../compose/variables.ts';
import { type Match, matchInbound } from '../match/match.ts';
import { findIntros } from '../queries.ts';
import { type Continuation, proceed } from './proceed.ts';
import { lockOpen, lockSessions } from './queries.ts';
import { type Start, startSessions } from './start.ts';

/** What people send that says nothing to an intro. */
const silent: ReadonlySet<string> = new Set(['REACTION', 'SYSTEM', 'UNSUPPORTED']);

/**
 * Hands messages to the intros they are meant for, in the transaction that stored them: new sessions are started, open ones
 * go on. Answers the messages that no intro wanted.
 */
export async function introduce(deps: Deps, accountId: string, received: Received[]): Promise<Received[]> {
  // A number that writes to itself is nobody's lead.
  const speaking = received.filter(
    ({ row, sender }) => !silent.has(row.type) && phoneDigits(row.from_chatapp_number) !== sender.digits,
  );
  const matches = await matchInbound(deps.db, accountId, speaking.map(inboundOf));
  const matched = speaking.flatMap((one, index) => (matches[index] ? [{ received: one, match: matches[index] }] : []));
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
  const heard = new Set(matched.map((one) => one.received));
  return received.filter((one) => !heard.has(one));
}

/** Which of these messages name an intro by its own words: the text it expects, its reference or its short code. */
export async function findNamingIntro({ db }: Deps, accountId: string, received: Received[]): Promise<Set<Received>> {
  const matches = await matchInbound(db, accountId, received.map(inboundOf));
  return new Set(received.filter((_, index) => matches[index]?.kind === 'intro'));
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

function inboundOf({ row, sender }: Received) {
  const { text } = row.message_data as { text?: { body?: string } };
  return {
    chatappAccount: sender.uuid,
    text: text?.body ?? '',
    fromDigits: phoneDigits(row.from_chatapp_number),
    flowToken: flowAnswerOf(row.message_data as object)?.flow_token,
    quoted: (row.context_data as { message_uuid?: string }).message_uuid,
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
    match.kind === 'session' ? [{ received, session: match.session }] : [],
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
    ...named.flatMap(({ received, session }) => continuation(bySession.get(session), received)),
    ...again.flatMap(({ start, received }) => continuation(byPerson.get(keyOf(start, received)), received)),
  ];
}

const continuation = (session: Continuation['session'] | undefined, received: Received): Continuation[] =>
  session ? [{ session, received }] : [];
