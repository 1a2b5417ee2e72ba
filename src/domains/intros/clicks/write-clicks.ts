import type { Db } from '../../../platform/db/connect/pool.ts';
import { within } from '../../../platform/within.ts';
import { spendLinks } from '../../links/index.ts';
import { addTallies } from '../../tallies/index.ts';
import { appendEvents, type NewEvent } from '../../timeline/index.ts';
import { announce, findListening, type WebhookEvent } from '../../webhooks/index.ts';
import type { ChatClick, Click, ClickDeps, PageClick } from './click-log.ts';
import { findToldAnyAccount, keepClicksAnyAccount, tellClicksAnyAccount } from './queries.ts';

/** Writes clicks down, to be told of; those that somebody is told of by webhook, and the rarer kinds, are told of at once. */
export async function writeClicks(deps: ClickDeps, clicks: Click[]): Promise<void> {
  const chats = clicks.filter((click) => click.link !== 'CAMPAIGN');
  const openings = chats.filter(isOpening);
  const accountIds = [...new Set(chats.map(({ accountId }) => accountId))];
  const listening = await findListening(deps.db, deps, 'chat_intro.clicked', accountIds);
  // Mostly nobody listens and all links are those of intros, and one statement needs no transaction around it.
  if (listening.size === 0 && openings.length === clicks.length) return keepClicksAnyAccount(deps.db, openings);
  const heard = chats.filter(({ accountId }) => listening.has(accountId));
  await within(deps, async (deps) => {
    const { db } = deps;
    await tellClicksAnyAccount(db, openings);
    await appendEvents(db, chats.filter((click) => !isOpening(click)).map(eventOf));
    await tellHeard(db, deps, heard);
    await writePageClicks(
      db,
      clicks.filter((click) => click.link === 'CAMPAIGN'),
    );
  });
}

const isOpening = ({ link }: ChatClick): boolean => link === 'INTRO';
const dataOf = ({ link, session, visitor }: ChatClick) => ({ link, session, visitor });

/** Of one side's link. */
const eventOf = (click: ChatClick): NewEvent => ({
  accountId: click.accountId,
  subjectType: 'chat_intro',
  subject: click.chatIntro,
  kind: 'chat_intro.clicked',
  data: dataOf(click),
});

async function tellHeard(db: Db, deps: ClickDeps, heard: ChatClick[]): Promise<void> {
  if (heard.length === 0) return;
  const told = await findToldAnyAccount(db, heard);
  await announce(
    db,
    deps,
    heard.map((click): WebhookEvent => {
      const { accountId, chatIntro, atMs } = click;
      const data = { ...dataOf(click), chat_intro: chatIntro, ...told.get(chatIntro) };
      return { accountId, type: 'chat_intro.clicked', at: new Date(atMs), data };
    }),
  );
}

/** In the story of the launch; the first opening of each link counts. */
async function writePageClicks(db: Db, clicks: PageClick[]): Promise<void> {
  if (clicks.length === 0) return;
  await appendEvents(
    db,
    clicks.map(({ accountId, campaignLog, message, location, visitor }) => ({
      accountId,
      subjectType: 'campaign_log',
      subject: campaignLog,
      kind: 'campaign.clicked',
      data: { message, url: location, visitor },
    })),
  );
  const first = await spendLinks(db, clicks);
  await addTallies(
    db,
    first.map(({ account_id, campaign_log }) => ({
      accountId: account_id,
      subject: campaign_log,
      name: 'clicked',
      count: 1,
    })),
  );
}
