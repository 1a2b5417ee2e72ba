import { type Selectable, sql } from 'kysely';
import type { Db } from '../../platform/db/connect/pool.ts';
import { keysetPage, type PageQuery } from '../../platform/db/page.ts';
import type { Agents } from '../../platform/db/types.ts';
import { newId } from '../../platform/ids.ts';
import type { WeekHours } from '../../platform/time/week-hours.ts';
import type { NotifyTemplate } from '../accounts/index.ts';
import { type AgentFields, skillKey } from './schemas.ts';

/** With the time zone that counts: the agent's own, else the account's. */
export type AgentRow = Omit<Selectable<Agents>, 'holidays' | 'working_hours' | 'number_digits' | 'template'> & {
  holidays: string[];
  working_hours: WeekHours | null;
  template: NotifyTemplate | null;
  zone: string;
};

/** Fallbacks of fallbacks that are followed. */
export const longestChain = 10;

const zone = sql<string>`coalesce(agents.time_zone, (select time_zone from accounts where uuid = agents.account_id))`;
// An array of dates in its text form: the driver would make moments of them.
const columns = sql<AgentRow>`agents.account_id, agents.uuid, agents.name, agents.numbers, agents.ring, agents.time_zone,
  agents.working_hours, agents.holidays::text[] as holidays, agents.skills, agents.away, agents.away_until, agents.template, agents.fallback,
  agents.last_assigned, agents.created, agents.modified, ${zone} as zone`;

export async function findAgent(db: Db, accountId: string, uuid: string): Promise<AgentRow | undefined> {
  return (await findAgents(db, accountId, [uuid]))[0];
}

export async function findAgents(db: Db, accountId: string, uuids: string[]): Promise<AgentRow[]> {
  const { rows } = await sql<AgentRow>`
    select ${columns} from agents where account_id = ${accountId} and uuid = any(${uuids}::uuid[])`.execute(db);
  return rows;
}

/** Those with any of these skills, in the order of their ids. */
export async function findSkilled(db: Db, accountId: string, skills: string[]): Promise<AgentRow[]> {
  const { rows } = await sql<AgentRow>`
    select ${columns} from agents
    where account_id = ${accountId} and uuid in (
      select agent from agent_skills where account_id = ${accountId} and skill = any(${skills.map(skillKey)}::text[]))
    order by uuid`.execute(db);
  return rows;
}

/** An agent, its fallback, the fallback's, and so on. */
export async function findChain(db: Db, accountId: string, uuid: string): Promise<AgentRow[]> {
  const { rows } = await sql<AgentRow>`
    with recursive chain as (
      select uuid, fallback, 1 as place from agents where account_id = ${accountId} and uuid = ${uuid}
      union all
      select next.uuid, next.fallback, chain.place + 1 from chain
      join agents as next on next.account_id = ${accountId} and next.uuid = chain.fallback
      where chain.place < ${longestChain}
    )
    select ${columns} from chain join agents on agents.account_id = ${accountId} and agents.uuid = chain.uuid
    order by chain.place`.execute(db);
  return rows;
}

export function listAgents(db: Db, accountId: string, query: PageQuery & { skill?: string }) {
  let rows = db
    .selectFrom('agents')
    .select(columns as never)
    .where('account_id', '=', accountId);
  if (query.skill !== undefined) {
    const having = sql<string>`(select agent from agent_skills
      where account_id = ${accountId} and skill = ${skillKey(query.skill)})`;
    rows = rows.where('uuid', 'in', having);
  }
  return keysetPage(db, rows.$castTo<AgentRow>(), query);
}

/** With the digits of those of its numbers that are phone numbers. */
export type StoredAgent = AgentFields & { number_digits: string[] };

const columnsOf = ({ working_hours, template, ...fields }: StoredAgent) => ({
  ...fields,
  skills: [...new Set(fields.skills.map(skillKey))],
  holidays: sql<never>`${fields.holidays}::date[]`,
  working_hours: working_hours && JSON.stringify(working_hours),
  template: template && JSON.stringify(template),
});

export async function insertAgent(db: Db, accountId: string, fields: StoredAgent): Promise<string> {
  const uuid = newId();
  await db
    .insertInto('agents')
    .values({ account_id: accountId, uuid, ...columnsOf(fields) })
    .execute();
  await setSkills(db, accountId, uuid, fields.skills);
  return uuid;
}

export async function updateAgent(db: Db, accountId: string, uuid: string, fields: StoredAgent): Promise<void> {
  await db
    .updateTable('agents')
    .set({ ...columnsOf(fields), modified: sql`now()` })
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .execute();
  await setSkills(db, accountId, uuid, fields.skills);
}

async function setSkills(db: Db, accountId: string, uuid: string, skills: string[]): Promise<void> {
  await db.deleteFrom('agent_skills').where('account_id', '=', accountId).where('agent', '=', uuid).execute();
  await sql`
    insert into agent_skills (account_id, skill, agent)
    select distinct ${accountId}::uuid, skill, ${uuid}::uuid from unnest(${skills.map(skillKey)}::text[]) as skill`.execute(
    db,
  );
}

/** Nobody falls back to one that is gone; a distributed database has no foreign key that sees to it. */
export async function deleteAgent(db: Db, accountId: string, uuid: string): Promise<boolean> {
  await db
    .updateTable('agents')
    .set({ fallback: null })
    .where('account_id', '=', accountId)
    .where('fallback', '=', uuid)
    .execute();
  const row = await db
    .deleteFrom('agents')
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .returning('uuid')
    .executeTakeFirst();
  return row !== undefined;
}

/** Changes of an account's agents come one after the other, so that two of them cannot close a circle of fallbacks together. */
export async function lockAgents(db: Db, accountId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`agents ${accountId}`}, 0))`.execute(db);
}

/** Whose turn it was last with a skill. Until the transaction ends, nobody else picks. */
export async function lockTurn(db: Db, accountId: string, skill: string): Promise<string | null> {
  const { rows } = await sql<{ last_agent: string | null }>`
    insert into agent_turns (account_id, skill) values (${accountId}, ${skillKey(skill)})
    on conflict (account_id, skill) do update set skill = excluded.skill
    returning last_agent`.execute(db);
  return rows[0]!.last_agent;
}

/** The same, without a say in it. */
export async function readTurn(db: Db, accountId: string, skill: string): Promise<string | null> {
  const row = await db
    .selectFrom('agent_turns')
    .select('last_agent')
    .where('account_id', '=', accountId)
    .where('skill', '=', skillKey(skill))
    .executeTakeFirst();
  return row?.last_agent ?? null;
}

export async function noteTurn(db: Db, accountId: string, skill: string, agent: string): Promise<void> {
  await db
    .updateTable('agent_turns')
    .set({ last_agent: agent })
    .where('account_id', '=', accountId)
    .where('skill', '=', skillKey(skill))
    .execute();
}

export async function noteAssigned(db: Db, accountId: string, agent: string): Promise<void> {
  // By the clock, not by the beginning of the transaction: two of them that overlap are told apart.
  await sql`
    with moment as materialized (select clock_timestamp() as at)
    update agents set last_assigned = moment.at from moment
    where account_id = ${accountId} and uuid = ${agent}`.execute(db);
}

/** Whether a number, as digits, is one of an agent's. */
export async function isAgentNumber(db: Db, accountId: string, digits: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from agents where account_id = ${accountId} and ${digits} = any (number_digits) limit 1`.execute(db);
  return rows.length > 0;
}
