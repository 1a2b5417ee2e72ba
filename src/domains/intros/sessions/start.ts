import type { Deps } from '../../../deps.ts';
import { ApiError, notFound, ValidationError } from '../../../platform/errors.ts';
import { newCode, newId } from '../../../platform/ids.ts';
import { within } from '../../../platform/within.ts';
import { phoneReader } from '../../accounts/index.ts';
import { findChatappAccount } from '../../chatapp-accounts/index.ts';
import { keepLeads } from '../../leads/index.ts';
import { createLinks, type NewLink } from '../../links/index.ts';
import { findOpenWindows } from '../../messages/index.ts';
import { composeReply } from '../compose/reply.ts';
import { snapshotOf } from '../fields.ts';
import { findIntro, type IntroRow } from '../queries.ts';
import { isNotified } from './chain.ts';
import { notifySessions, sayToAparty, variablesOf, waitsForNotice } from './notify.ts';
import { findSession, type Gathered, insertSessions, lockOpen, type SessionRow, updateSessions } from './queries.ts';
import { noteSaid, type Saying, sayAll } from './say.ts';
import type { ChatIntroStart } from './schemas.ts';
import { type Step, tellSteps } from './steps.ts';

/** A person who meets an intro. */
export interface Start {
  intro: IntroRow;
  number: string;
  /** The digits of the number. */
  digits: string;
  name: string;
  how: 'EXPECTED_TEXT' | 'REFERENCE' | 'SHORTCODE' | 'API' | 'BUTTON';
  tied: boolean;
  /** The message that began it. */
  message: string | null;
  variables: Gathered;
  /** Whether any message may be sent, because the person wrote within a day; otherwise only templates may. */
  isWindowOpen: boolean;
  at: Date;
}

const tokenLength = 24;

/**
 * Starts sessions, in the caller's transaction: makes links, sends the reply and what else is due at once, and notes what is due
 * later. A person who has an open session with that intro keeps it. Answers the new sessions.
 */
export async function startSessions(deps: Deps, accountId: string, starts: Start[]): Promise<SessionRow[]> {
  if (starts.length === 0) return [];
  const byUuid = new Map(starts.map((start) => [newId(), start]));
  const sessions = await insertSessions(
    deps.db,
    accountId,
    [...byUuid].map(([uuid, { intro, number, digits, name, variables, at }]) => ({
      uuid,
      intro: snapshotOf(intro),
      chatappAccount: intro.chatapp_account,
      number,
      digits,
      name,
      variables,
      flowToken: newCode(tokenLength),
      at,
    })),
  );
  if (sessions.length === 0) return [];
  const startOf = (session: SessionRow): Start => byUuid.get(session.uuid)!;
  await giveLinks(deps, accountId, sessions);
  const steps = sessions.map((session) => startedStep(session, startOf(session)));
  for (const session of sessions) session.notify_due_at = noticeDue(session);
  const sayings = sessions.flatMap((session) => openingOf(deps, session, startOf(session)));
  const said = await sayAll(deps, accountId, sayings);
  steps.push(...said.flatMap((one) => noteSaid(one, startOf(one.session).at)));
  const dueNow = sessions.filter(({ notify_due_at, started_at }) => notify_due_at === started_at);
  if (dueNow.length > 0) steps.push(...(await notifySessions(deps, accountId, dueNow, starts.at(-1)!.at)));
  await updateSessions(deps.db, accountId, sessions);
  await keepLeads(deps, accountId, sessions.map(leadOf));
  await tellSteps(deps, accountId, steps);
  return sessions;
}

/** B's link to A, and A's to B where there is a number for it. */
async function giveLinks({ db }: Deps, accountId: string, sessions: SessionRow[]): Promise<void> {
  const links = sessions.flatMap(({ uuid, chat_intro, intro }): NewLink[] => {
    const own = { chatIntro: chat_intro, session: uuid };
    const toA: NewLink = { ...own, kind: 'BPARTY', singleUse: intro.bparty_expiry_link };
    return intro.intro_bparty_number === '' ? [toA] : [toA, { ...own, kind: 'APARTY' }];
  });
  const codes = await createLinks(db, accountId, links);
  const codeOf = new Map(links.map(({ session, kind }, index) => [`${session} ${kind}`, codes[index]!]));
  for (const session of sessions) {
    session.bparty_shortcode = codeOf.get(`${session.uuid} BPARTY`)!;
    session.aparty_shortcode = codeOf.get(`${session.uuid} APARTY`) ?? null;
  }
}

const startedStep = (session: SessionRow, { how, tied, message }: Start): Step => ({
  session,
  kind: 'started',
  data: { how, tied, message, status: 'STARTED' },
});

/** When B is to be notified; null: not at all. */
function noticeDue({ intro, started_at }: SessionRow): string | null {
  if (!isNotified(intro)) return null;
  if (intro.notify_delay === 0) return started_at;
  return new Date(Date.parse(started_at) + intro.notify_delay * 1000).toISOString();
}

/** What A is sent at once: the reply, and A's template unless that waits for B's notification. */
function openingOf(deps: Deps, session: SessionRow, { isWindowOpen }: Start): Saying[] {
  const composed = isWindowOpen
    ? composeReply(session.intro, variablesOf(deps, session), session.flow_token)
    : undefined;
  const reply: Saying[] = composed ? [{ session, role: 'reply', to: session.aparty_number, composed }] : [];
  return waitsForNotice(session) ? reply : [...reply, ...sayToAparty(deps, session)];
}

/**
 * Introduces a person who has not written. It goes as if they had, but without the reply, which may be sent only to somebody who
 * wrote within a day. A person who has an open session with the intro keeps it; `isNew` says which it was.
 */
export const startByCall = (
  deps: Deps,
  accountId: string,
  uuid: string,
  { aparty_number: number, aparty_name: name = '', variables: given = {} }: ChatIntroStart,
): Promise<{ session: SessionRow; isNew: boolean }> =>
  within(deps, async (deps) => {
    const { db } = deps;
    const intro = await findIntro(db, accountId, uuid);
    if (!intro) throw notFound();
    const digits = (await phoneReader(deps, accountId))(number);
    if (digits === intro.chatapp_digits) {
      throw new ValidationError({ aparty_number: ['This is the number of the business itself.'] });
    }
    const at = await clockOf(deps, accountId, intro);
    const person = { accountId, chatappAccount: intro.chatapp_account, digits, now: at };
    const isWindowOpen = (await findOpenWindows(db, [person])).size > 0;
    if (!isWindowOpen && !hasTemplate(intro)) throw new ApiError('window_closed');
    const told = { ...(name !== '' && { APartyDataContactName: name }), APartyDataContactPhonenumber: number };
    const [started] = await startSessions(deps, accountId, [
      {
        intro,
        number,
        digits,
        name,
        how: 'API',
        tied: false,
        message: null,
        variables: { answers: {}, given, told },
        isWindowOpen,
        at,
      },
    ]);
    const [session] = started ? [started] : await lockOpen(db, accountId, [{ chatIntro: uuid, digits }]);
    return { session: (await findSession(db, accountId, session!.uuid))!, isNew: started !== undefined };
  });

async function clockOf({ db, carriers }: Deps, accountId: string, intro: IntroRow): Promise<Date> {
  const sender = await findChatappAccount(db, accountId, intro.chatapp_account);
  if (!sender) throw new ValidationError({ non_field_errors: ['The chat-app account of the intro was deleted.'] });
  return carriers.get(sender.carrier).clock(accountId).now();
}

const hasTemplate = (intro: IntroRow): boolean =>
  isNotified(snapshotOf(intro)) || intro.aparty_notify_data.chatapp_template_name !== '';

/** The person of a session as a lead of its intro. */
export const leadOf = (session: SessionRow) => ({
  chatapp_account: session.chatapp_account,
  chatapp_number: session.intro.chatapp_number,
  phone_number: session.aparty_number,
  digits: session.aparty_digits,
  name: session.aparty_name,
  source: session.intro.reference_id ?? 'chat_intro',
  chat_intro: session.chat_intro,
  data: { session: session.uuid, ...session.variables.given },
  answers: session.variables.answers,
});
