import { Badge, Group, Text, Tooltip } from '@mantine/core';
import {
  type Icon,
  IconBlockquote,
  IconDialpad,
  IconEar,
  IconMicrophone,
  IconPlayerRecord,
  IconTag,
  IconUserUp,
  IconVolume,
} from '@tabler/icons-react';
import type { Schema } from '../../api/index.ts';

export type Feature = Schema<'Number'>['features'][number];
type FeatureField = keyof Schema<'NumberUpdate'>;

export interface FeatureWords {
  name: Feature;
  title: string;
  icon: Icon;
  /** What it does, in the order of the call. */
  what: string;
  field: FeatureField;
  label: string;
  hint: string;
  kind: 'audio' | 'text' | 'label' | 'words';
}

/** The features in the order in which a call meets them. */
export const features: readonly FeatureWords[] = [
  {
    name: 'RECORD_CALL',
    title: 'Record calls',
    icon: IconPlayerRecord,
    what: 'Records both sides from the moment they are connected, one channel each.',
    field: 'record_call_file',
    label: 'Notice before the call',
    hint: 'Played to the caller first. In many countries callers have to be told.',
    kind: 'audio',
  },
  {
    name: 'TTS',
    title: 'Speak a text',
    icon: IconVolume,
    what: 'Speaks a text to the caller before anybody’s phone rings.',
    field: 'tts',
    label: 'Text',
    hint: 'What the caller hears. For the voice of a person, upload a recording as a notice instead.',
    kind: 'text',
  },
  {
    name: 'KEEP_NUMBER',
    title: 'Show the caller’s number',
    icon: IconUserUp,
    what: 'Whoever is rung sees the caller’s number instead of yours.',
    field: 'keep_number_file',
    label: 'Notice to the caller',
    hint: 'Played to the caller first. May be left out.',
    kind: 'audio',
  },
  {
    name: 'CAPTURE_DIGITS',
    title: 'Ask for digits',
    icon: IconDialpad,
    what: 'Asks the caller for 1 to 20 digits, three times at most; # ends them. Routing can decide by them.',
    field: 'capture_digits_file',
    label: 'Question',
    hint: 'Played to the caller: “Press 1 for sales, 2 for lettings.”',
    kind: 'audio',
  },
  {
    name: 'WHISPER',
    title: 'Whisper',
    icon: IconEar,
    what: 'Whoever picks up hears this while the caller still hears ringing. Hanging up then refuses the call.',
    field: 'whisper_file',
    label: 'Whisper',
    hint: '“A call from the autumn brochure.”',
    kind: 'audio',
  },
  {
    name: 'VOICEMAIL_LITE',
    title: 'Voicemail',
    icon: IconMicrophone,
    what: 'When nobody answers: plays a greeting and a tone, and records up to two minutes.',
    field: 'voicemail_lite_file',
    label: 'Greeting',
    hint: '“We are not in. Please leave a message after the tone.”',
    kind: 'audio',
  },
  {
    name: 'CALL_TRACKING',
    title: 'Call tracking',
    icon: IconTag,
    what: 'Puts a label on each call record, and whether the caller called for the first time.',
    field: 'call_tracking',
    label: 'Label',
    hint: 'The campaign or place where this number is printed.',
    kind: 'label',
  },
  {
    name: 'KEYWORDS',
    title: 'SMS keywords',
    icon: IconBlockquote,
    what: 'Recognises an SMS whose first word is one of these. Routing can decide by them.',
    field: 'keywords',
    label: 'Keywords',
    hint: 'Press Enter after each word.',
    kind: 'words',
  },
];

/** The features of a number as small badges; those that do not fit are counted. */
export function FeatureBadges({ names, most = 8 }: { names: readonly Feature[]; most?: number }) {
  const on = features.filter(({ name }) => names.includes(name));
  const rest = on.slice(most);
  if (on.length === 0) {
    return (
      <Text size="sm" c="dimmed" component="span">
        None
      </Text>
    );
  }
  return (
    <Group gap={4} wrap="wrap">
      {on.slice(0, most).map(({ name, title, icon: Icon }) => (
        <Badge key={name} variant="light" tt="none" size="sm" leftSection={<Icon size={12} aria-hidden />}>
          {title}
        </Badge>
      ))}
      {rest.length > 0 && (
        <Tooltip label={rest.map(({ title }) => title).join(', ')}>
          <Badge variant="light" color="gray" tt="none" size="sm">
            {rest.length} more
          </Badge>
        </Tooltip>
      )}
    </Group>
  );
}

/** Of a change: the word of the API for a field as people say it. */
export const fieldWords = (field: string): string =>
  features.find((feature) => feature.field === field)?.title.toLowerCase() ??
  (field === 'meta' ? 'your own data' : field.replaceAll('_', ' '));
