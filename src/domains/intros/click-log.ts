import { Counter, type Registry } from 'prom-client';
import type { Deps } from '../../deps.ts';
import { startLoop } from '../../platform/loop.ts';
import type { NewLink } from '../links/index.ts';
import { appendEvents, type NewEvent } from '../timeline/index.ts';
import { announce, findListening, type WebhookEvent } from '../webhooks/index.ts';
import { findToldAnyAccount, noteOpenedAnyAccount } from './click-log-queries.ts';

/** A person opened a link. */
export interface Click {
  accountId: string;
  chatIntro: string;
  link: NewLink['kind'];
  session: string | null;
  visitor: string;
  at: Date;
  /** By the time of the sender's carrier. */
  openedAt: Date;
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
  await deps.db.transaction().execute(async (db) => {
    await appendEvents(db, clicks.map(eventOf));
    await noteOpenedAnyAccount(db, lastOpened(clicks));
    const listening = await findListening(db, deps, 'chat_intro.clicked', [...new Set(clicks.map(accountOf))]);
    const heard = clicks.filter(({ accountId }) => listening.has(accountId));
    if (heard.length === 0) return;
    const told = await findToldAnyAccount(db, heard);
    await announce(
      db,
      deps,
      heard.map((click): WebhookEvent => {
        const about = { chat_intro: click.chatIntro, ...told.get(click.chatIntro) };
        return {
          accountId: click.accountId,
          type: 'chat_intro.clicked',
          at: click.at,
          data: { ...dataOf(click), ...about },
        };
      }),
    );
  });
}

const accountOf = ({ accountId }: Click): string => accountId;
const dataOf = ({ link, session, visitor }: Click) => ({ link, session, visitor });

const eventOf = (click: Click): NewEvent => ({
  accountId: click.accountId,
  subjectType: 'chat_intro',
  subject: click.chatIntro,
  kind: 'chat_intro.clicked',
  data: dataOf(click),
});

/** Of each intro the last time its own link was opened. */
function lastOpened(clicks: Click[]): Click[] {
  const last = new Map<string, Click>();
  for (const click of clicks) {
    if (click.link !== 'INTRO') continue;
    const before = last.get(click.chatIntro);
    if (!before || before.openedAt < click.openedAt) last.set(click.chatIntro, click);
  }
  return [...last.values()];
}
