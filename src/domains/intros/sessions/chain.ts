import { sql } from 'kysely';
import type { Deps } from '../../../deps.ts';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { assignAgent, phonesOf } from '../../agents/index.ts';
import type { IntroSnapshot } from '../fields.ts';
import { noChain } from '../schemas.ts';
import type { SessionRow } from './queries.ts';

/** Whom a session notifies, and how. */
export interface Recipient {
  channel: 'CHATAPP' | 'SMS';
  to: string;
  agent: string | null;
}

/** No more agents are asked than this: somebody has waited long enough by then. */
const mostAgents = 10;

/** The chain of an intro; one of a session from before there were chains has none. */
export const chainFields = (intro: IntroSnapshot) => ({ ...noChain, ...intro });

/** The ways to reach B that the intro has, the first one first. */
function toBparty(intro: IntroSnapshot): Recipient[] {
  const {
    notify_type,
    notify_chatapp_template_name,
    notify_sms_template,
    notify_to_phone_number: to,
  } = chainFields(intro);
  const channels = [
    ...(notify_type === 'CHATAPP' && notify_chatapp_template_name !== '' ? ['CHATAPP' as const] : []),
    ...(notify_type !== null && notify_sms_template !== '' ? ['SMS' as const] : []),
  ];
  return channels.map((channel) => ({ channel, to, agent: null }));
}

/** Whether an intro notifies anybody. */
export const isNotified = (intro: IntroSnapshot): boolean => toBparty(intro).length > 0;

/** Whether somebody may be left to notify, without looking for agents. */
export const hasNext = ({ intro, chain_step: taken }: SessionRow): boolean =>
  taken < toBparty(intro).length || (chainFields(intro).notify_agents !== null && taken < mostAgents);

/** Whom each session is to notify next; none for those whose chain is at its end. */
export async function findNext(deps: Deps, accountId: string, sessions: SessionRow[], at: Date) {
  const next = new Map<SessionRow, Recipient>();
  for (const session of sessions) {
    const recipient = toBparty(session.intro)[session.chain_step];
    if (recipient) next.set(session, recipient);
  }
  const forAgents = sessions.filter((session) => !next.has(session) && hasNext(session));
  const told = await findNotifiedAgents(
    deps.db,
    accountId,
    forAgents.map(({ uuid }) => uuid),
  );
  for (const session of forAgents) {
    const agent = await findNextAgent(deps, accountId, session, told.get(session.uuid) ?? new Set(), at);
    if (agent) next.set(session, agent);
  }
  return next;
}

/** The next agent with the skill who is at work and has not been told of this session. */
async function findNextAgent(
  deps: Deps,
  accountId: string,
  { intro }: SessionRow,
  told: ReadonlySet<string>,
  at: Date,
): Promise<Recipient | undefined> {
  const { skill, strategy = 'ROUND_ROBIN' } = chainFields(intro).notify_agents!;
  const agents = await assignAgent(deps, accountId, { skill, strategy, except: told }, at);
  const channel = toBparty(intro)[0]!.channel;
  return agents.flatMap((agent) => phonesOf(agent).map((to) => ({ channel, to, agent: agent.uuid })))[0];
}

/** SQL of whom notifications went to. */

export interface Notice {
  /** The message or the SMS. */
  message: string;
  session: string;
  chatapp_account: string;
  channel: 'CHATAPP' | 'SMS';
  to_number: string;
  to_digits: string;
  /** null: it is B. */
  agent: string | null;
  sent_at: string;
}

export async function insertNotices(db: Db, accountId: string, notices: Notice[]): Promise<void> {
  if (notices.length === 0) return;
  await db
    .insertInto('intro_notices')
    .values(notices.map((notice) => ({ account_id: accountId, ...notice })))
    .execute();
}

/** Whom each of these sessions last notified. */
export async function findLastNotices(db: Db, accountId: string, sessions: string[]): Promise<Map<string, Notice>> {
  if (sessions.length === 0) return new Map();
  const { rows } = await sql<Notice>`
    select last.* from unnest(${sessions}::uuid[]) as wanted (session)
    cross join lateral (
      select * from intro_notices where account_id = ${accountId} and session = wanted.session
      order by message desc limit 1) as last`.execute(db);
  return new Map(rows.map((row) => [row.session, row]));
}

/** The agents whom these sessions have notified. */
async function findNotifiedAgents(db: Db, accountId: string, sessions: string[]): Promise<Map<string, Set<string>>> {
  const { rows } = await sql<{ session: string; agent: string }>`
    select session, agent from intro_notices
    where account_id = ${accountId} and session = any (${sessions}::uuid[]) and agent is not null`.execute(db);
  const found = new Map<string, Set<string>>();
  for (const { session, agent } of rows) found.set(session, (found.get(session) ?? new Set()).add(agent));
  return found;
}

/** Marks notifications among these messages and SMS as failed; answers those that were not marked before. */
export async function markFailed(db: Db, accountId: string, messages: string[]): Promise<Notice[]> {
  const { rows } = await sql<Notice>`
    update intro_notices set failed_at = now()
    where account_id = ${accountId} and message = any (${messages}::uuid[]) and failed_at is null
    returning *`.execute(db);
  return rows;
}
