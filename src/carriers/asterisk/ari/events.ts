import { isPlausible } from '../../../platform/time/clock.ts';

/** Of what Asterisk tells about a channel, what is used here. */
export interface AriChannel {
  id: string;
  /** Ring, Ringing, Up … */
  state: string;
  callerNumber: string;
  exten: string;
}

/** How a channel ended, in the words of Q.850; newer Asterisks add what the protocol itself said. */
export interface Destroyed {
  cause: number;
  text: string;
  techCause: number;
}

export type AriEvent =
  | { type: 'StasisStart'; channel: AriChannel; args: string[] }
  | { type: 'StasisEnd'; channel: AriChannel }
  | ({ type: 'ChannelDestroyed'; channel: AriChannel } & Destroyed)
  | ({ type: 'ChannelHangupRequest'; channel: AriChannel } & Destroyed)
  | { type: 'ChannelDtmfReceived'; channel: AriChannel; digit: string }
  | { type: 'PlaybackFinished'; id: string; isFailed: boolean }
  | { type: 'RecordingStarted'; recording: string; atMs: number }
  | { type: 'RecordingFinished' | 'RecordingFailed'; recording: string }
  | { type: 'ApplicationReplaced' };

type Fields = Record<string, unknown>;

const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0);

export function readChannel(value: unknown): AriChannel | undefined {
  const { id, state, caller, dialplan } = fieldsOf(value);
  if (typeof id !== 'string' || id === '') return undefined;
  return {
    id,
    state: textOf(state),
    callerNumber: textOf(fieldsOf(caller).number),
    exten: textOf(fieldsOf(dialplan).exten),
  };
}

/** undefined: nothing that concerns us. Asterisk tells much more than is used, and every version more than the last. */
export function readEvent(text: string): AriEvent | undefined {
  const event = parse(text);
  const { type } = event;
  switch (type) {
    case 'StasisStart':
    case 'StasisEnd':
    case 'ChannelDestroyed':
    case 'ChannelHangupRequest':
    case 'ChannelDtmfReceived':
      return readChannelEvent(type, event);
    case 'PlaybackFinished': {
      const { id, state } = fieldsOf(event.playback);
      return { type, id: textOf(id), isFailed: state === 'failed' };
    }
    case 'RecordingStarted': {
      // `2026-11-15T10:00:00.131+0000`
      const atMs = Date.parse(textOf(event.timestamp));
      return { type, recording: recordingOf(event), atMs: isPlausible(atMs) ? atMs : Date.now() };
    }
    case 'RecordingFinished':
    case 'RecordingFailed':
      return { type, recording: recordingOf(event) };
    case 'ApplicationReplaced':
      return { type };
    default:
      return undefined;
  }
}

type ChannelEvent = Extract<AriEvent, { channel: AriChannel }>;

function readChannelEvent(type: ChannelEvent['type'], event: Fields): ChannelEvent | undefined {
  const channel = readChannel(event.channel);
  if (!channel) return undefined;
  switch (type) {
    case 'StasisStart':
      return { type, channel, args: Array.isArray(event.args) ? event.args.map(textOf) : [] };
    case 'StasisEnd':
      return { type, channel };
    case 'ChannelDtmfReceived':
      return { type, channel, digit: textOf(event.digit) };
    default:
      return {
        type,
        channel,
        cause: numberOf(event.cause),
        text: textOf(event.cause_txt),
        techCause: numberOf(event.tech_cause),
      };
  }
}

const recordingOf = (event: Fields): string => textOf(fieldsOf(event.recording).name);

function parse(text: string): Fields {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return {};
  }
}
