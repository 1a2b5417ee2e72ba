import type { Deps } from '../../../deps.ts';
import { international } from '../../../platform/phone.ts';
import { render } from '../../../platform/text/fill.ts';
import { makeBatches } from '../../../platform/work/batches.ts';
import { phoneReader } from '../../accounts/index.ts';
import { sessionVariables } from '../compose/variables.ts';
import { longestText } from '../match/keys.ts';
import { connect } from '../sessions/connect.ts';
import { findSession, type SessionRow } from '../sessions/queries.ts';
import type { DeadEnd } from './link-page.ts';
import { type ChatLink, type ChatTarget, findCarrier, findTargetsAnyAccount, type PageTarget } from './queries.ts';

/** A chat that a link leads to. */
export interface Chat {
  accountId: string;
  chatIntro: string;
  link: ChatLink;
  session: string | null;
  carrier: string;
  /** An address, or a path of this server. */
  location: string;
}

/** A page that the link in a message of a campaign leads to. */
export interface Page {
  accountId: string;
  link: 'CAMPAIGN';
  campaignLog: string;
  message: string | null;
  shortcode: string;
  location: string;
}

export interface Visit {
  byPerson: boolean;
  /** How the visitor reaches this server. */
  origin(): string;
}

export interface Opener {
  /** Where the link of an intro leads, if it was opened a moment ago. */
  recall(code: string): Chat | undefined;
  open(code: string, visit: Visit): Promise<Chat | Page | DeadEnd>;
}

/** The cache of where the links of intros lead; to be forgotten when an intro changes. */
export const linkCache = 'intro-links';
/** An intro's change tells every process to forget this; the limit is for a notice that got lost. */
const keptMs = 60_000;
/** How many links are remembered: in a rush over many links, look-ups take most of the time. Each takes half a kilobyte. */
const most = 100_000;
/** As we write them. */
export const shortcode = /^[2-9b-z]{10}$/;

export function makeOpener(deps: Deps): Opener {
  // Few and full: a look-up of forty links costs little more than one of two.
  const batches = makeBatches({ largest: 500, inFlight: 1, apartMs: 3 });
  const cache = deps.caches.of<Chat>(linkCache, { keptMs, most });
  const findTargets = async (codes: string[]) =>
    (await findTargetsAnyAccount(deps.db, codes)).map((value) => ({ status: 'fulfilled' as const, value }));
  return {
    recall: cache.get,
    async open(spelling, visit) {
      // Read aloud and typed in again, a code may come in capitals; anything else is no code.
      const code = spelling.toLowerCase();
      if (!shortcode.test(code)) return 'unknown';
      const known = cache.get(code);
      if (known) return known;
      const stamp = cache.stamp();
      const target = await batches.run('intros.open', code, findTargets);
      if (!target) return 'unknown';
      if (target.kind === 'CAMPAIGN') return pageOf(target);
      const found = await (target.session === null
        ? openIntro(deps, target)
        : openSession(deps, target, target.session, visit));
      const isLasting = target.session === null && target.expires === null && typeof found === 'object';
      if (isLasting) cache.set(code, found, stamp);
      return found;
    },
  };
}

const pageOf = ({ account_id, campaign_log, message, shortcode, url }: PageTarget): Page => ({
  accountId: account_id,
  link: 'CAMPAIGN',
  campaignLog: campaign_log,
  message,
  shortcode,
  location: url,
});

type Target = ChatTarget & { carrier: string };

/** The link of the intro itself: where it leads was made ready when the intro was. */
function openIntro(deps: Deps, target: ChatTarget): Chat | DeadEnd {
  const { carrier, chat_number: number, chat_text: text } = target;
  if (carrier === null || number === null || isOver(deps, target, carrier)) return 'gone';
  return chatOf(deps, { ...target, carrier }, number, text ?? '');
}

const isOver = ({ carriers }: Deps, target: ChatTarget, carrier: string): boolean =>
  (target.single_use && target.used_at !== null) ||
  (target.expires !== null &&
    Date.parse(target.expires) <= carriers.get(carrier).clock(target.account_id).now().getTime());

/** The link of one side: to B's chat with A, or to A's with B. */
async function openSession(deps: Deps, link: ChatTarget, uuid: string, visit: Visit): Promise<Chat | DeadEnd> {
  const carrier = await findCarrier(deps.db, link.account_id, link.chat_intro);
  if (carrier === null || isOver(deps, link, carrier)) return 'gone';
  const target = { ...link, carrier };
  const session = await findSession(deps.db, target.account_id, uuid);
  if (!session?.open) return 'gone';
  const [digits, template] = otherSide(target, session, await phoneReader(deps, target.account_id));
  if (digits === '') return 'gone';
  if (visit.byPerson && !(await connect(deps, target, session))) return 'gone';
  const { variables, intro, bparty_shortcode: bpartyShortcode, aparty_shortcode: apartyShortcode } = session;
  const known = sessionVariables({ ...variables, bpartyShortcode, apartyShortcode }, intro, visit.origin());
  return chatOf(deps, target, international(digits), render(template, known).text);
}

const otherSide = (
  { kind }: Target,
  { aparty_digits, intro }: SessionRow,
  read: (number: string) => string,
): [digits: string, template: string] =>
  kind === 'BPARTY'
    ? [aparty_digits, intro.intro_message_template]
    : [read(intro.intro_bparty_number), intro.intro_message_aparty];

const chatOf = ({ carriers }: Deps, target: Target, number: string, text: string): Chat => ({
  accountId: target.account_id,
  chatIntro: target.chat_intro,
  link: target.kind,
  session: target.session,
  carrier: target.carrier,
  location: carriers.get(target.carrier, 'chat').chat.chatLink(number, text.slice(0, longestText).toWellFormed()),
});
