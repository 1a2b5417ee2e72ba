import { newId } from '../../platform/ids.ts';
import type { Log } from '../../platform/log.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { pause, within } from '../../platform/time/pause.ts';
import type { Carrier, CarrierWith } from '../ports/carriers.ts';
import { nowhere } from '../ports/legs.ts';
import type { CarrierVoice, Leg, VoiceLinkStatus } from '../ports/voice.ts';
import { type AriAccess, isMissing, makeAri } from './ari/ari.ts';
import { type ConnectionTiming, usualTiming } from './ari/connection.ts';
import { type Listening, listen } from './ari/listen.ts';
import { dial, type Endpoints } from './dial.ts';
import type { LiveLeg } from './leg.ts';
import { record } from './sound/record.ts';
import { makeSoundCache } from './sound/sounds.ts';
import { ownPrefix, type Switchboard } from './switchboard.ts';

export interface AsteriskSettings extends AriAccess {
  /** As the dialplan names it: `Stasis(parley)`. One for each process that takes calls. */
  app: string;
  endpoints: Endpoints;
  sounds: {
    directory: string;
    /** How Asterisk reaches that directory, '' where it is the same. */
    place: string;
  };
}

export interface AsteriskDeps {
  clock: Clock;
  log: Log;
  settings: AsteriskSettings;
  timing?: Partial<AsteriskTiming>;
}

export interface AsteriskTiming extends ConnectionTiming {
  /** How long calls are kept while the connection is away. */
  graceMs: number;
  /** How long a channel may be in our application before it must be known. */
  strayMs: number;
}

const closingMs = 3_000;
const statusMs = 2_000;

export type AsteriskCarrier = CarrierWith<'voice'> & Required<Pick<Carrier, 'problem'>>;

/** Calls carried by an Asterisk of the operator's, through its REST interface; for all accounts that have no trunk of their own. */
export function makeAsterisk({ clock, log, settings, timing }: AsteriskDeps): AsteriskCarrier {
  const { app, endpoints } = settings;
  const madeAt = clock.now();
  const board: Switchboard = {
    ari: makeAri(settings),
    app,
    sounds: makeSoundCache(settings.sounds.directory, settings.sounds.place),
    log,
    legs: new Map(),
    playbacks: new Map(),
    recordings: new Map(),
    taps: new Map(),
  };
  let listening: Listening | undefined;

  const isConnected = (): boolean => listening?.connection.state === 'UP';
  const findLive = (leg: Leg): LiveLeg | undefined => {
    const live = board.legs.get(leg.id);
    return live?.leg === leg ? live : undefined;
  };

  /** What a process that takes no calls knows: whether another one does. */
  async function askStatus(): Promise<Omit<VoiceLinkStatus, 'name' | 'calls'>> {
    const askedMs = performance.now();
    const lastError = await board.ari.ask('GET', ['applications', app], { limitMs: statusMs }).then(
      () => '',
      (error: Error) => (isMissing(error) ? 'No process is connected.' : error.message),
    );
    const latencyMs = lastError === '' ? Math.round((performance.now() - askedMs) * 10) / 10 : null;
    return { state: lastError === '' ? 'UP' : 'DOWN', since: madeAt, lastError, latencyMs };
  }

  const voice: CarrierVoice = {
    clock: () => clock,
    wait: (_accountId, ms, signal) => pause(ms, signal),
    dial: (request) => (isConnected() ? dial(board, request, endpoints) : nowhere('Asterisk is not connected.')),
    async bridge(one, other) {
      const [first, second] = [findLive(one), findLive(other)];
      if (first && second) await bridge(board, first, second);
    },
    record(legs, options) {
      const live = legs.flatMap((leg) => findLive(leg) ?? []);
      if (live.length === legs.length) return record(board, live, options);
      const ended = Promise.resolve({ seconds: 0 });
      return { ended, stop: () => ended };
    },
    canDial: async () => isConnected(),
    async status(accountId) {
      const calls = [...board.legs.values()].filter((leg) => leg.accountId === accountId).length;
      const { state, since, lastError, latencyMs } = listening?.connection ?? (await askStatus());
      return [{ name: app, state, since, calls, lastError, latencyMs }];
    },
    linkStates: () => (listening ? [listening.connection.state] : []),
    // Connects, and brings in the calls that the dialplan hands over.
    listen(onCall) {
      listening = listen(board, settings, { clock, onCall, timing: { ...defaultTiming, ...timing } });
      return listening;
    },
    async close() {
      const ends = (): Promise<unknown> => Promise.all([...board.legs.values()].map(({ leg }) => leg.ended));
      await within(closingMs, ends());
      await Promise.all([...board.legs.values()].map(({ leg }) => leg.hangUp()));
      await listening?.close();
      await board.ari.close();
    },
  };
  return {
    name: 'asterisk',
    adoptsUnknown: false,
    clock: () => clock,
    voice,
    async problem() {
      const { state, lastError } = listening?.connection ?? {};
      return state === 'DOWN' ? `Asterisk: ${lastError}` : null;
    },
  };
}

const defaultTiming: AsteriskTiming = { ...usualTiming, graceMs: 5_000, strayMs: 3_000 };

/** Lets two hear each other until either is over. */
async function bridge({ ari, log }: Switchboard, one: LiveLeg, other: LiveLeg): Promise<void> {
  const isOver = (): boolean => one.isOver || other.isOver;
  const ended = Promise.race([one.leg.ended, other.leg.ended]);
  // A channel that still plays something would enter the bridge only after it.
  await Promise.all([one.quiet, other.quiet]);
  if (isOver()) return;
  const id = `${ownPrefix}${newId()}`;
  try {
    // Without `dtmf_events` two alone are joined so closely that keys are not told.
    await ari.ask('POST', ['bridges', id], { query: { type: 'mixing,dtmf_events' } });
    await ari.ask('POST', ['bridges', id, 'addChannel'], { query: { channel: `${one.id},${other.id}` } });
    await ended;
  } catch (error) {
    // Asterisk refuses a channel that has hung up, of which we may hear a moment later.
    if (!(await isOverSoon(isOver, ended))) throw error;
  } finally {
    await ari.ask('DELETE', ['bridges', id]).catch((error) => {
      if (!isMissing(error)) log.warn({ error: error.message }, 'A bridge in Asterisk could not be removed');
    });
  }
}

const soonMs = 1_000;

async function isOverSoon(isOver: () => boolean, ended: Promise<unknown>): Promise<boolean> {
  if (!isOver()) await within(soonMs, ended);
  return isOver();
}
