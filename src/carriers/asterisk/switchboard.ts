import type { Log } from '../../platform/log.ts';
import { type Ari, isMissing } from './ari/ari.ts';
import { type AriChannel, type AriEvent, readChannel } from './ari/events.ts';
import type { LiveLeg } from './leg.ts';
import type { SoundCache } from './sound/sounds.ts';

/** What happens to a recording that runs in Asterisk. */
export interface RecordingEvents {
  onStarted(atMs: number): void;
  /** Also when it failed: what there is of it is kept. */
  onFinished(): void;
}

/** Everything of ours that is in Asterisk now, by its id there. */
export interface Switchboard {
  readonly ari: Ari;
  readonly app: string;
  readonly sounds: SoundCache;
  readonly log: Log;
  readonly legs: Map<string, LiveLeg>;
  readonly playbacks: Map<string, (isFailed: boolean) => void>;
  readonly recordings: Map<string, RecordingEvents>;
  /** Channels that listen for a recording, until they are there. */
  readonly taps: Map<string, () => void>;
}

/** Channels that we make are known by their ids; all others came in. */
export const ownPrefix = 'parley-';

export function take(board: Switchboard, event: AriEvent, onIncoming: (channel: AriChannel, args: string[]) => void) {
  switch (event.type) {
    case 'PlaybackFinished':
      return board.playbacks.get(event.id)?.(event.isFailed);
    case 'RecordingStarted':
      return board.recordings.get(event.recording)?.onStarted(event.atMs);
    case 'RecordingFinished':
    case 'RecordingFailed':
      return board.recordings.get(event.recording)?.onFinished();
    case 'StasisStart':
      return begin(board, event.channel, () => onIncoming(event.channel, event.args));
    case 'StasisEnd':
      return board.legs.get(event.channel.id)?.leave();
    case 'ChannelHangupRequest':
      return board.legs.get(event.channel.id)?.noteCause(event);
    case 'ChannelDestroyed':
      return board.legs.get(event.channel.id)?.destroyed(event);
    case 'ChannelDtmfReceived':
      return board.legs.get(event.channel.id)?.press(event.digit);
  }
}

function begin(board: Switchboard, { id }: AriChannel, onIncoming: () => void): void {
  const [leg, tap] = [board.legs.get(id), board.taps.get(id)];
  if (leg) leg.entered();
  else if (tap) tap();
  else if (!id.startsWith(ownPrefix)) onIncoming();
  // One that we gave up while it was being answered.
  else hangUp(board, id);
}

/** Ends a channel that nobody is interested in any more. */
export function hangUp({ ari, log }: Switchboard, id: string): void {
  ari.ask('DELETE', ['channels', id]).catch((error) => {
    if (!isMissing(error))
      log.warn({ error: error.message, channel: id }, 'A channel of Asterisk could not be hung up');
  });
}

/** After a time without events: what is over by now, and what has come about. */
export async function review(board: Switchboard): Promise<void> {
  const { ari, legs, playbacks, recordings } = board;
  const before = [...legs.values()];
  const found = await ari.ask('GET', ['channels']);
  const channels = new Map(
    (Array.isArray(found) ? found : []).flatMap((one) => {
      const channel = readChannel(one);
      return channel ? [[channel.id, channel] as const] : [];
    }),
  );
  for (const leg of before) {
    const channel = channels.get(leg.id);
    if (!channel) leg.lose('Asterisk does not know the call any more.');
    else if (channel.state === 'Up') leg.entered();
  }
  const isGone = (path: string[]): Promise<boolean> => ari.ask('GET', path).then(() => false, isMissing);
  for (const [id, finish] of [...playbacks]) if (await isGone(['playbacks', id])) finish(false);
  for (const [name, { onFinished }] of [...recordings]) if (await isGone(['recordings', 'live', name])) onFinished();
}

/** Channels in our application that no call of ours speaks of: left by a process that died. */
export async function findStrays({ ari, app, legs, taps }: Switchboard): Promise<string[]> {
  const answer = (await ari.ask('GET', ['applications', app])) as { channel_ids?: unknown } | undefined;
  const ids = Array.isArray(answer?.channel_ids) ? answer.channel_ids.map(String) : [];
  return ids.filter((id) => !legs.has(id) && !taps.has(id));
}
