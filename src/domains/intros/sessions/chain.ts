import type { Deps } from '../../../deps.ts';
import { assignAgent, phonesOf } from '../../agents/index.ts';
import { noChain } from '../schemas.ts';
import { findNotifiedAgents } from './notice-queries.ts';
import type { SessionRow } from './queries.ts';
import type { IntroSnapshot } from './snapshot.ts';

/** Whom a session notifies, and how. */
export interface Recipient {
  channel: 'CHATAPP' | 'SMS';
  to: string;
  agent: string | null;
}

/** More are not asked: somebody has waited long enough by then. */
const mostAgents = 10;

/** The chain of an intro; one of a session from before there were chains has none. */
export const chainFields = (intro: IntroSnapshot) => ({ ...noChain, ...intro });

/** B, by the ways that the intro has for that, the first one first. */
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

/** Whether there is somebody left to notify, as far as that is known without asking for agents. */
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
