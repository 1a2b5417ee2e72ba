import { Counter, type Registry } from 'prom-client';
import type { Deps } from '../../../deps.ts';
import { isDatabaseAway } from '../../../platform/db/connect/failure.ts';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { within } from '../../../platform/within.ts';
import { startLoop } from '../../../platform/work/loop.ts';
import { noteSetAside } from '../../../platform/work/set-aside.ts';
import { isBadValue, splitOnFailure } from '../../../platform/work/split-on-failure.ts';
import { spendLinks } from '../../links/index.ts';
import { addTallies } from '../../tallies/index.ts';
import { appendEvents, type NewEvent } from '../../timeline/index.ts';
import { announce, findListening, type WebhookEvent } from '../../webhooks/index.ts';
import type { ChatLink } from '../open/queries.ts';
import {
  findToldAnyAccount,
  keepClicksAnyAccount,
  splitOldestClicksAnyAccount,
  tellClicksAnyAccount,
  tellOldestClicksAnyAccount,
} from './queries.ts';

/** A person opened a link. */
export type Click = ChatClick | PageClick;

interface Visit {
  accountId: string;
  /** Hexadecimal digits. */
  visitor: string;
  /** Milliseconds since 1970. */
  atMs: number;
}

/** A link of an intro. */
export interface ChatClick extends Visit {
  link: ChatLink;
  chatIntro: string;
  session: string | null;
  /** By the time of the sender's carrier. */
  openedMs: number;
}

/** A link in a message of a campaign. */
interface PageClick extends Visit {
  link: 'CAMPAIGN';
  campaignLog: string;
  message: string | null;
  shortcode: string;
  location: string;
}

export interface ClickLog {
  /** Returns at once, so that whoever opened the link does not wait. */
  add(click: Click): void;
  /** Writes the clicks that are left, and stops. */
  stop(): Promise<void>;
}

type ClickDeps = Pick<Deps, 'db' | 'batches' | 'caches' | 'listener' | 'clock' | 'vault' | 'log' | 'observer'>;

const restMs = 100;
const enough = 500;
const largest = 1_000;
const idleMs = 60_000;
/** How many clicks a second are put onto the timeline; each takes PostgreSQL 50 µs. In a rush, answering links comes first. */
const mostTold = { calm: 10_000, rush: 1_000 };
/** How many batches are still put onto the timeline before a stop; the rest waits for the next start. */
const lastBatches = 10;

/**
 * Clicks wait in memory for up to a tenth of a second and are stored together. A crash loses those that wait; while the database is
 * away, the newest `mostWaiting` are kept. Stored clicks are put onto the timeline at once or, in a rush, at a limited pace.
 */
export function startClickLog(deps: ClickDeps, metrics: Registry, mostWaiting = 100_000): ClickLog {
  const dropped = new Counter({
    name: 'parley_link_clicks_dropped_total',
    help: 'Clicks on links that were never written, because the database was away for too long.',
    registers: [metrics],
  });
  let waiting: Click[] = [];
  let timer: NodeJS.Timeout | undefined;
  // The watch finds what an earlier process left.
  let isAllTold = true;
  let isRush = false;

  const drop = (count: number): void => {
    dropped.inc(count);
    deps.log.warn({ clicks: count }, 'Clicks on links were dropped: the database does not take them');
  };
  /** Drops many at a time: moving the whole list for each click would cost more than the click. */
  const trim = (): void => {
    if (waiting.length <= mostWaiting) return;
    const oldest = Math.max(waiting.length - mostWaiting, Math.ceil(mostWaiting / 100));
    waiting.splice(0, oldest);
    drop(oldest);
  };
  const tellSome = async (): Promise<number> => {
    isAllTold = false;
    try {
      const told = await tellOldestClicksAnyAccount(deps.db);
      isAllTold = told === 0;
      return isAllTold ? idleMs : (told / (isRush ? mostTold.rush : mostTold.calm)) * 1000;
    } catch (error) {
      if (!isBadValue(error)) throw error;
      const accountId = await splitOldestClicksAnyAccount(deps.db);
      if (accountId) noteSetAside(deps, 'clicks on links', error as Error, { accountId });
      return 0;
    }
  };
  const watch = deps.listener.poll.watch('exists (select 1 from click_batches)');
  const teller = startLoop(deps.log, 'Telling of clicks on links', tellSome, { watch });
  const writeSome = async (): Promise<void> => {
    const batch = waiting.splice(0, largest);
    isRush = batch.length >= enough;
    if (batch.length === 0) return;
    try {
      const failures = await splitOnFailure(
        batch,
        ({ accountId }) => accountId,
        (some) => writeClicks(deps, some),
      );
      const again = failures.filter(({ error }) => isDatabaseAway(error)).map(({ item }) => item);
      for (const { item, error } of failures) {
        if (!isDatabaseAway(error)) noteSetAside(deps, 'clicks on links', error, { accountId: item.accountId });
      }
      waiting = [...again, ...waiting];
    } catch (error) {
      waiting = [...batch, ...waiting];
      trim();
      throw error;
    }
    // While stored clicks are still being put onto the timeline, it gets to these by itself.
    if (isAllTold) teller.wake();
  };
  const writer = startLoop(deps.log, 'Writing clicks on links', async () => {
    await writeSome();
    if (waiting.length >= enough) return 0;
    return waiting.length > 0 ? restMs : idleMs;
  });
  const wake = (): void => {
    timer = undefined;
    writer.wake();
  };

  return {
    add(click) {
      waiting.push(click);
      trim();
      if (waiting.length === enough) writer.wake();
      timer ??= setTimeout(wake, restMs);
    },
    async stop() {
      await Promise.all([writer.stop(), teller.stop()]);
      clearTimeout(timer);
      try {
        while (waiting.length > 0) await writeSome();
        for (let left = lastBatches; left > 0; left--) await tellOldestClicksAnyAccount(deps.db);
      } catch (error) {
        deps.log.error({ err: error }, 'The last clicks on links could not be written');
        if (waiting.length > 0) drop(waiting.length);
      }
    },
  };
}

/** Stores clicks for the timeline. Clicks of accounts with a webhook for them, and the rarer kinds, are put there at once. */
async function writeClicks(deps: ClickDeps, clicks: Click[]): Promise<void> {
  const chats = clicks.filter((click) => click.link !== 'CAMPAIGN');
  const openings = chats.filter(isOpening);
  const accountIds = [...new Set(chats.map(({ accountId }) => accountId))];
  const listening = await findListening(deps.db, deps, 'chat_intro.clicked', accountIds);
  // Usually there is no webhook and all links are those of intros: then one statement does, without a transaction.
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

/** The event of a click on the link of one side of a session. */
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

/** Stores clicks on links in messages of campaigns as events of the launch; only the first opening of each link counts. */
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
