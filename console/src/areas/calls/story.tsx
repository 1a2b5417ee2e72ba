import { Anchor } from '@mantine/core';
import {
  type Icon,
  IconArrowsSplit2,
  IconClock,
  IconDialpad,
  IconEarOff,
  IconMicrophone,
  IconPhone,
  IconPhoneCheck,
  IconPhoneOff,
  IconPhoneRinging,
  IconPhoneX,
  IconPlayerRecord,
  IconVolume,
} from '@tabler/icons-react';
import { Link } from 'wouter';
import { type Row, type Schema, useOne } from '../../api/index.ts';
import { sayLength } from '../../parts/audio/sound.ts';
import type { Step } from '../../parts/index.ts';

type Entry = Row<'/v2/logs/voice-calls/'>;
type Data = Record<string, unknown>;

const what: Record<string, string> = {
  record_call_file: 'the recording notice',
  tts: 'the spoken text',
  keep_number_file: 'the notice about the number',
  whisper_file: 'the whisper',
  audio_file: 'an audio file',
  voicemail_lite_file: 'the greeting of the voicemail',
  capture_digits_file: 'the question for digits',
};
const by: Record<string, string> = {
  CALLER: 'the caller hung up',
  CALLEE: 'the person called hung up',
  PLATFORM: 'nothing was left to do',
  API: 'somebody asked for it',
  NETWORK: 'the connection broke',
};
const outcomes: Record<string, string> = {
  busy: 'was busy',
  refused: 'declined',
  unanswered: 'did not answer',
  cancelled: 'was not waited for',
  unreachable: 'could not be reached',
};
const endings: Record<string, string> = {
  ANSWERED: 'The call is over',
  MISSED: 'Nobody answered',
  ABANDONED: 'The caller gave up',
  BUSY: 'Everybody was busy',
  VOICEMAIL: 'A message was left',
  REJECTED: 'The call was refused',
  FAILED: 'The call failed',
};

type Told = Pick<Step, 'text'> & { icon: Icon; color?: string };

function tell(event: Schema<'VoiceEvent'>, data: Data, say: (number: string) => string): Told {
  const text = (name: string) => String(data[name] ?? '');
  const numbers = (name: string) =>
    [data[name]]
      .flat()
      .filter(Boolean)
      .map((one) => say(String(one)))
      .join(', ');
  switch (event) {
    case 'call.queued':
      return { text: `A call to ${numbers('to')} was asked for.`, icon: IconClock };
    case 'call.started':
      return {
        text: data['to'] ? `${numbers('to')} is being called.` : `${numbers('from') || 'A withheld number'} called.`,
        icon: IconPhone,
      };
    case 'call.played': {
      const hearer = text('to') === 'target' ? 'Whoever picked up heard' : 'They heard';
      return {
        text: `${hearer} ${what[text('what')] ?? text('what')} (${sayLength(Number(data['seconds'] ?? 0))}).`,
        icon: IconVolume,
      };
    }
    case 'call.audio_skipped':
      return { text: text('description') || 'A sound was left out.', icon: IconEarOff, color: 'orange' };
    case 'call.digits_asked':
      return {
        text: Number(data['attempt']) > 1 ? 'Digits were asked for again.' : 'Digits were asked for.',
        icon: IconDialpad,
      };
    case 'call.digits_captured':
      return { text: `The caller entered ${text('digits')}.`, icon: IconDialpad, color: 'brand' };
    case 'call.routed':
      return { text: routed(data, numbers('numbers')), icon: IconArrowsSplit2 };
    case 'call.ringing':
      return { text: `${numbers('to')} rings.`, icon: IconPhoneRinging };
    case 'call.not_answered':
      return {
        text: `${numbers('to')} ${outcomes[text('outcome')] ?? 'did not answer'}.`,
        icon: IconPhoneX,
        color: 'orange',
      };
    case 'call.answered':
      return {
        text: text('by') === 'audio_file' ? 'The audio of the route was played.' : `${numbers('by')} answered.`,
        icon: IconPhoneCheck,
        color: 'green',
      };
    case 'call.recording_started':
      return { text: 'The recording began.', icon: IconPlayerRecord };
    case 'call.recording_ready':
      return { text: `The recording is there (${sayLength(Number(data['seconds'] ?? 0))}).`, icon: IconPlayerRecord };
    case 'call.voicemail_received':
      return {
        text: `A voicemail was left (${sayLength(Number(data['seconds'] ?? 0))}).`,
        icon: IconMicrophone,
        color: 'blue',
      };
    case 'call.ended': {
      const why = by[text('hung_up_by')];
      return { text: `${endings[text('result')] ?? 'The call is over'}${why ? `: ${why}` : ''}.`, icon: IconPhoneOff };
    }
  }
}

function routed(data: Data, numbers: string): string {
  const route = String(data['route'] ?? '');
  const rule =
    route === 'fallback' ? 'The fallback' : route ? `The route “${route}”` : 'The target number of the number';
  switch (data['kind']) {
    case 'RING':
      return `${rule} decides: ${numbers}.`;
    case 'VOICEMAIL':
      return `${rule} decides: voicemail.`;
    case 'AUDIO':
      return `${rule} decides: the audio “${String(data['audioFile'] ?? '')}”.`;
    default:
      return `${rule} decides: hang up.`;
  }
}

/** The log of a call as sentences, each with how far into the call it was. */
export function storyOf(entries: Entry[], say: (number: string) => string): Step[] {
  const start = entries[0] ? Date.parse(entries[0].created) : 0;
  return entries.map(({ uuid, event, data, created }) => ({
    id: uuid,
    at: created,
    ...tell(event, data, say),
    cause: (
      <>
        {sayLength((Date.parse(created) - start) / 1000)} after the start
        <Agent uuid={(data as Data)['agent']} />
      </>
    ),
  }));
}

function Agent({ uuid }: { uuid: unknown }) {
  const { data } = useOne(
    '/v2/agent-configs/{uuid}/',
    { uuid: String(uuid) },
    {},
    { enabled: typeof uuid === 'string' },
  );
  if (typeof uuid !== 'string') return null;
  return (
    <>
      {' · '}
      <Anchor component={Link} href={`/agents/${uuid}`} inherit underline="always">
        {data?.name ?? 'an agent'}
      </Anchor>
    </>
  );
}
