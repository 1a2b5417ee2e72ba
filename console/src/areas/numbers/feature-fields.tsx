import { Alert, Box, Stack, Switch, TagsInput, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconAlertTriangle } from '@tabler/icons-react';
import { AudioField } from '../../parts/audio/audio-field.tsx';
import { LanguageSelect } from '../../parts/fields/language-select.tsx';
import type { NumberValues } from '../../parts/fields/number-values.ts';
import classes from './features.module.css';
import { type Feature, type FeatureWords, features } from './features.tsx';

type Form = UseFormReturnType<NumberValues>;

/** Each feature as a switch; what it needs appears below it while it is on. */
export function FeatureFields({ form }: { form: Form }) {
  const on = form.values.features;
  const toggle = (name: Feature, yes: boolean) =>
    form.setFieldValue('features', yes ? [...on, name] : on.filter((one) => one !== name));
  return features.map((feature) => {
    const { name, title, what, icon: Icon } = feature;
    const checked = on.includes(name);
    return (
      <div key={name} className={classes['feature']}>
        <Icon size={20} stroke={1.6} aria-hidden className={classes['icon']} />
        <div>
          <Switch
            label={title}
            description={what}
            checked={checked}
            onChange={(event) => toggle(name, event.currentTarget.checked)}
            labelPosition="left"
            classNames={{ body: classes['switch'] ?? '', labelWrapper: classes['words'] ?? '' }}
          />
          {checked && (
            <Box mt="sm">
              <FeatureField feature={feature} form={form} />
              <Unheard feature={feature} form={form} />
            </Box>
          )}
        </div>
      </div>
    );
  });
}

/** What follows from a feature that is on and has nothing to play, to say or to look for. */
const withoutContent: Partial<Record<Feature, string>> = {
  WHISPER: 'There is no audio: whoever answers hears nothing.',
  CAPTURE_DIGITS: 'There is no audio: callers are not told what to enter.',
  TTS: 'There is no text: callers hear nothing.',
  KEYWORDS: 'There are no keywords: nothing is looked for.',
};

function Unheard({ feature: { name, field }, form }: { feature: FeatureWords; form: Form }) {
  const text = withoutContent[name];
  const value = form.values[field as keyof NumberValues];
  const isEmpty = typeof value === 'string' ? value.trim() === '' : Array.isArray(value) && value.length === 0;
  if (!text || !isEmpty) return null;
  return (
    <Alert color="orange" icon={<IconAlertTriangle />} mt="xs" py="xs">
      {text}
    </Alert>
  );
}

function FeatureField({ feature, form }: { feature: FeatureWords; form: Form }) {
  const { field, label, hint, kind } = feature;
  const props = { label, description: hint, ...form.getInputProps(field) };
  switch (kind) {
    case 'audio':
      return <AudioField {...props} />;
    case 'text':
      return (
        <Stack gap="sm">
          <Textarea {...props} autosize minRows={2} maxLength={4096} placeholder="Welcome to Orchard and Vale." />
          <LanguageSelect {...form.getInputProps('tts_language')} />
        </Stack>
      );
    case 'label':
      return <TextInput {...props} maxLength={255} placeholder="Autumn brochure" />;
    case 'words':
      return <TagsInput {...props} maxTags={100} placeholder={form.values[field]?.length ? '' : 'VIEW'} />;
  }
}
