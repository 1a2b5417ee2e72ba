import type { Deps } from '../../deps.ts';
import type { Memory } from '../../platform/memory.ts';
import { sessionVariables } from './compose/variables.ts';
import { connect } from './connect.ts';
import { introVariables } from './match-keys.ts';
import { findTargetsAnyAccount, type LinkTarget } from './open-queries.ts';
import type { DeadEnd } from './pages/link-page.ts';
import { render } from './render.ts';
import { findSession, type SessionRow } from './session-queries.ts';

/** A chat that a link leads to. */
export interface Chat {
  accountId: string;
  chatIntro: string;
  link: LinkTarget['kind'];
  session: string | null;
  carrier: string;
  /** An address, or a path of this server. */
  location: string;
}

export interface Visit {
  byPerson: boolean;
  /** How the visitor reaches this server. */
  origin(): string;
}

/** The memory of where the links of intros lead; to be forgotten when an intro changes. */
export const linkMemory = 'intro-links';
/** What the platform takes as one message; more could not be sent anyway. */
const longestText = 4096;
const shortcode = /^[2-9b-z]{10}$/;

/** Opens links. The answer comes at once, without a promise, for the link of an intro that was opened a moment ago. */
export function makeOpener(deps: Deps): (code: string, visit: Visit) => Chat | DeadEnd | Promise<Chat | DeadEnd> {
  const memory = deps.memories.of<Chat | DeadEnd>(linkMemory);
  return (code, visit) => memory.get(code) ?? open(deps, memory, code.toLowerCase(), visit);
}

async function open(deps: Deps, memory: Memory<Chat | DeadEnd>, code: string, visit: Visit): Promise<Chat | DeadEnd> {
  // Read aloud and typed in again, a code may come in capitals; anything else is no code.
  if (!shortcode.test(code)) return 'unknown';
  const stamp = memory.stamp();
  const target = await deps.batches.run('intros.open', code, async (codes: string[]) =>
    (await findTargetsAnyAccount(deps.db, codes)).map((value) => ({ status: 'fulfilled' as const, value })),
  );
  if (!target) return 'unknown';
  const { carrier } = target;
  if (carrier === null || isOver(deps, target, carrier)) return 'gone';
  if (target.session !== null) return openSession(deps, { ...target, carrier }, target.session, visit);
  const text = render(target.expected_message_template, introVariables(target)).text;
  const chat = chatOf(deps, { ...target, carrier }, target.chatapp_number, text);
  if (target.expires === null) memory.set(code, chat, stamp);
  return chat;
}

type Target = LinkTarget & { carrier: string };

const isOver = ({ carriers }: Deps, target: LinkTarget, carrier: string): boolean =>
  (target.single_use && target.used_at !== null) ||
  (target.expires !== null &&
    Date.parse(target.expires) <= carriers.get(carrier).clock(target.account_id).now().getTime());

/** The link of one side: to B's chat with A, or to A's with B. */
async function openSession(deps: Deps, target: Target, uuid: string, visit: Visit): Promise<Chat | DeadEnd> {
  const session = await findSession(deps.db, target.account_id, uuid);
  if (!session?.open) return 'gone';
  const [number, template] = otherSide(target, session);
  if (number === '') return 'gone';
  if (visit.byPerson && !(await connect(deps, target, session))) return 'gone';
  const { variables, intro, bparty_shortcode: bpartyShortcode, aparty_shortcode: apartyShortcode } = session;
  const known = sessionVariables({ ...variables, bpartyShortcode, apartyShortcode }, intro, visit.origin());
  return chatOf(deps, target, number, render(template, known).text);
}

const otherSide = ({ kind }: Target, { aparty_number, intro }: SessionRow): [number: string, template: string] =>
  kind === 'BPARTY'
    ? [aparty_number, intro.intro_message_template]
    : [intro.intro_bparty_number, intro.intro_message_aparty];

const chatOf = ({ carriers }: Deps, target: Target, number: string, text: string): Chat => ({
  accountId: target.account_id,
  chatIntro: target.chat_intro,
  link: target.kind,
  session: target.session,
  carrier: target.carrier,
  location: carriers.get(target.carrier).chatLink(number, text.slice(0, longestText).toWellFormed()),
});
