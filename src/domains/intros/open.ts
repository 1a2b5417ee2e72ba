import type { Deps } from '../../deps.ts';
import { makeBatches } from '../../platform/batches.ts';
import { sessionVariables } from './compose/variables.ts';
import { connect } from './connect.ts';
import { longestText } from './match-keys.ts';
import { findCarrier, findTargetsAnyAccount, type LinkTarget } from './open-queries.ts';
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

export interface Opener {
  /** Where the link of an intro leads that was opened a moment ago. */
  recall(code: string): Chat | DeadEnd | undefined;
  open(code: string, visit: Visit): Promise<Chat | DeadEnd>;
}

/** The memory of where the links of intros lead; to be forgotten when an intro changes. */
export const linkMemory = 'intro-links';
const shortcode = /^[2-9b-z]{10}$/;

export function makeOpener(deps: Deps): Opener {
  // One batch at a time: two halves of it would cost PostgreSQL more than the whole.
  const batches = makeBatches({ largest: 500, inFlight: 1 });
  const memory = deps.memories.of<Chat | DeadEnd>(linkMemory);
  const findTargets = async (codes: string[]) =>
    (await findTargetsAnyAccount(deps.db, codes)).map((value) => ({ status: 'fulfilled' as const, value }));
  return {
    recall: memory.get,
    async open(spelling, visit) {
      // Read aloud and typed in again, a code may come in capitals; anything else is no code.
      const code = spelling.toLowerCase();
      if (!shortcode.test(code)) return 'unknown';
      const stamp = memory.stamp();
      const target = await batches.run('intros.open', code, findTargets);
      if (!target) return 'unknown';
      const found = await (target.session === null
        ? openIntro(deps, target)
        : openSession(deps, target, target.session, visit));
      const isLasting = target.session === null && target.expires === null && typeof found === 'object';
      if (isLasting) memory.set(code, found, stamp);
      return found;
    },
  };
}

type Target = LinkTarget & { carrier: string };

/** The link of the intro itself: where it leads was made ready when the intro was. */
function openIntro(deps: Deps, target: LinkTarget): Chat | DeadEnd {
  const { carrier, chat_number: number, chat_text: text } = target;
  if (carrier === null || number === null || isOver(deps, target, carrier)) return 'gone';
  return chatOf(deps, { ...target, carrier }, number, text ?? '');
}

const isOver = ({ carriers }: Deps, target: LinkTarget, carrier: string): boolean =>
  (target.single_use && target.used_at !== null) ||
  (target.expires !== null &&
    Date.parse(target.expires) <= carriers.get(carrier).clock(target.account_id).now().getTime());

/** The link of one side: to B's chat with A, or to A's with B. */
async function openSession(deps: Deps, link: LinkTarget, uuid: string, visit: Visit): Promise<Chat | DeadEnd> {
  const carrier = await findCarrier(deps.db, link.account_id, link.chat_intro);
  if (carrier === null || isOver(deps, link, carrier)) return 'gone';
  const target = { ...link, carrier };
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
