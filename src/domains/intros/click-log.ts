import { Counter, type Registry } from 'prom-client';
import type { Deps } from '../../deps.ts';
import { startLoop } from '../../platform/loop.ts';
import type { NewLink } from '../links/index.ts';
import { appendEvents, type NewEvent } from '../timeline/index.ts';
import { announce, findListening, type WebhookEvent } from '../webhooks/index.ts';
import { findToldAnyAccount, writeOpeningsAnyAccount } from './click-log-queries.ts';

/** A person opened a link. */
export interface Click {
  accountId: string;
  chatIntro: string;
  link: NewLink['kind'];
  session: string | null;
  /** Hexadecimal digits. */
  visitor: string;
  /** Milliseconds since 1970, here and by the time of the sender's carrier. */
  atMs: number;
  openedMs: number;
}

export interface ClickLog {
  /** Answers at once: whoever opened the link waits for nothing. */
  add(click: Click): void;
  /** Writes what is left. */
  stop(): Promise<void>;
}

const restMs = 100;
const enough = 500;
const largest = 1_000;
const idleMs = 60_000;

/**
 * Clicks wait in memory for a tenth of a second at most and are written together. A crash loses those; while the database
 * is away the newest `mostWaiting` are kept.
 */
export function startClickLog(
  deps: Pick<Deps, 'db' | 'memories' | 'listener' | 'clock' | 'vault' | 'log'>,
  metrics: Registry,
  mostWaiting = 100_000,
): ClickLog {
  const dropped = new Counter({
    name: 'parley_link_clicks_dropped_total',
    help: 'Clicks on links that were never written, because the database was away for too long.',
    registers: [metrics],
  });
  let waiting: Click[] = [];
  let timer: NodeJS.Timeout | undefined;

  const drop = (count: number): void => {
    dropped.inc(count);
    deps.log.warn({ clicks: count }, 'Clicks on links were dropped: the database does not take them');
  };
  const writeSome = async (): Promise<void> => {
    const batch = waiting.splice(0, largest);
    if (batch.length === 0) return;
    try {
      await writeClicks(deps, batch);
    } catch (error) {
      waiting = [...batch, ...waiting];
      trim();
      throw error;
    }
  };
  /** A thousand at a time: moving the whole list for each click would cost more than the click. */
  const trim = (): void => {
    if (waiting.length <= mostWaiting) return;
    const oldest = Math.max(waiting.length - mostWaiting, Math.ceil(mostWaiting / 100));
    waiting.splice(0, oldest);
    drop(oldest);
  };
  const loop = startLoop(deps.log, 'Writing clicks on links', async () => {
    await writeSome();
    if (waiting.length >= enough) return 0;
    return waiting.length > 0 ? restMs : idleMs;
  });
  const wake = (): void => {
    timer = undefined;
    loop.wake();
  };

  return {
    add(click) {
      waiting.push(click);
      trim();
      if (waiting.length === enough) loop.wake();
      timer ??= setTimeout(wake, restMs);
    },
    async stop() {
      await loop.stop();
      clearTimeout(timer);
      try {
        while (waiting.length > 0) await writeSome();
      } catch (error) {
        deps.log.error({ err: error }, 'The last clicks on links could not be written');
        drop(waiting.length);
      }
    },
  };
}

async function writeClicks(deps: Parameters<typeof startClickLog>[0], clicks: Click[]): Promise<void> {
  const accountIds = [...new Set(clicks.map(({ accountId }) => accountId))];
  const listening = await findListening(deps.db, deps, 'chat_intro.clicked', accountIds);
  const openings = clicks.filter(isOpening);
  // Mostly nobody listens and all links are those of intros, and one statement needs no transaction around it.
  if (listening.size === 0 && openings.length === clicks.length) return writeOpeningsAnyAccount(deps.db, clicks);
  const heard = clicks.filter(({ accountId }) => listening.has(accountId));
  await deps.db.transaction().execute(async (db) => {
    await writeOpeningsAnyAccount(db, openings);
    await appendEvents(db, clicks.filter((click) => !isOpening(click)).map(eventOf));
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
  });
}

const isOpening = ({ link }: Click): boolean => link === 'INTRO';
const dataOf = ({ link, session, visitor }: Click) => ({ link, session, visitor });

/** Of one side's link. */
const eventOf = (click: Click): NewEvent => ({
  accountId: click.accountId,
  subjectType: 'chat_intro',
  subject: click.chatIntro,
  kind: 'chat_intro.clicked',
  data: dataOf(click),
});
