import type { Clock } from '../../../platform/time/clock.ts';
import { pause } from '../../../platform/time/pause.ts';
import type { OnCall } from '../../ports/voice.ts';
import type { AsteriskTiming } from '../engine.ts';
import { receiveCall } from '../receive.ts';
import { findStrays, hangUp, review, type Switchboard, take } from '../switchboard.ts';
import type { AriAccess } from './ari.ts';
import { type Connection, keepConnected } from './connection.ts';
import { readEvent } from './events.ts';

export interface Listening {
  connection: Connection;
  /** Takes no more calls; those that there are go on. */
  stop(): Promise<void>;
  /** Lets go of Asterisk. */
  close(): Promise<void>;
}

const sweepMs = 86_400_000;
const checkLimitMs = 5_000;

/** Keeps connected, hands on what happens, and sets right what happened while nobody listened. */
export function listen(
  board: Switchboard,
  access: AriAccess,
  { clock, onCall, timing }: { clock: Clock; onCall: OnCall; timing: AsteriskTiming },
): Listening {
  const { ari, app, legs, log, sounds } = board;
  const closing = new AbortController();
  let isStopping = false;
  let grace: NodeJS.Timeout | undefined;

  const reject: OnCall = ({ leg }) => leg.reject(503);
  const isConnected = (): Promise<unknown> => ari.ask('GET', ['applications', app], { limitMs: checkLimitMs });

  function onText(text: string): void {
    const event = readEvent(text);
    if (event?.type === 'ApplicationReplaced') {
      log.error({ app }, 'Another process took the application of Asterisk; each needs one of its own (ASTERISK_APP)');
      connection.drop('Another process took the application.', true);
    } else if (event) {
      take(board, event, (channel, args) =>
        receiveCall(board, channel, args, { clock, onCall: isStopping ? reject : onCall }),
      );
    }
  }

  async function onOpen(): Promise<void> {
    clearTimeout(grace);
    log.info({ app }, 'Connected to Asterisk');
    try {
      if (legs.size > 0) await review(board);
      await dismissStrays();
    } catch (error) {
      connection.drop((error as Error).message);
    }
  }

  /** Those that were there before and still are: one that came just now is about to be told. */
  async function dismissStrays(): Promise<void> {
    const before = await findStrays(board);
    if (before.length === 0) return;
    await pause(timing.strayMs, closing.signal);
    if (closing.signal.aborted) return;
    const still = new Set(await findStrays(board));
    for (const id of before) if (still.has(id)) hangUp(board, id);
  }

  function onBroken(reason: string): void {
    log.warn({ reason }, 'The connection to Asterisk is lost');
    grace = setTimeout(() => {
      for (const leg of [...legs.values()]) leg.lose('The connection to Asterisk is lost.');
    }, timing.graceMs);
  }

  let lastReason = '';
  const connection = keepConnected({
    address: eventsAddress(access, app),
    timing,
    check: isConnected,
    explain: () =>
      ari.ask('GET', ['asterisk', 'info'], { limitMs: checkLimitMs }).then(
        () => 'Asterisk refused the connection for events.',
        (error: Error) => error.message,
      ),
    onOpen: () => void onOpen(),
    onText,
    onBroken,
    onRefused(reason) {
      // Once, and not at every attempt.
      if (reason !== lastReason) log.warn({ reason }, 'There is no connection to Asterisk');
      lastReason = reason;
    },
  });

  const sweep = (): void => void sounds.sweep().catch((error) => log.warn({ err: error }, 'Old sounds are left'));
  sweep();
  const sweeping = setInterval(sweep, sweepMs);
  return {
    connection,
    async stop() {
      isStopping = true;
      clearInterval(sweeping);
    },
    async close() {
      closing.abort();
      await connection.stop();
      clearTimeout(grace);
    },
  };
}

function eventsAddress({ url, user, password }: AriAccess, app: string): string {
  const address = new URL(`${url}/ari/events`);
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
  address.searchParams.set('app', app);
  address.searchParams.set('api_key', `${user}:${password}`);
  return address.href;
}
