import { Checkbox, Modal, NumberInput, Stack, Textarea, TextInput } from '@mantine/core';
import { useLocation } from 'wouter';
import { call } from '../../api/index.ts';
import { AudioField } from '../../parts/audio/audio-field.tsx';
import { LanguageSelect } from '../../parts/fields/language-select.tsx';
import { NumberSelect } from '../../parts/fields/number-select.tsx';
import { ApiForm } from '../../parts/index.ts';

interface StartDialogProps {
  opened: boolean;
  close(): void;
  /** To call somebody again. */
  from?: string;
  to?: string;
}

/** Starts a call: rings somebody, speaks or plays to them, and connects them with somebody else. */
export function StartDialog({ opened, close, from = '', to = '' }: StartDialogProps) {
  const [, navigate] = useLocation();
  return (
    <Modal opened={opened} onClose={close} title="Start a call" size="lg">
      <ApiForm
        initialValues={{
          from,
          to,
          tts: '',
          tts_language: 'en',
          audio_file: '',
          bridge_to: '',
          record: false,
          timeout_seconds: 25,
        }}
        submit={({ tts, tts_language, audio_file, bridge_to, ...rest }) =>
          call('post', '/v2/voice/calls/', {
            body: {
              ...rest,
              ...(tts && { tts, tts_language }),
              ...(audio_file && { audio_file }),
              ...(bridge_to && { bridge_to }),
            },
          })
        }
        button="Call"
        done="Dialling…"
        invalidates={['/v2/voice/calls/']}
        onDone={({ uuid }) => {
          close();
          navigate(`/calls/${uuid}`);
        }}
        onCancel={close}
      >
        {(form) => (
          <Stack>
            <NumberSelect
              label="From"
              description="One of your numbers, shown as the caller ID."
              capability="VOICE"
              required
              data-autofocus
              {...form.getInputProps('from')}
            />
            <TextInput label="To" type="tel" required placeholder="+44 7700 900123" {...form.getInputProps('to')} />
            <Textarea
              label="Speak"
              description="Spoken once they have answered."
              autosize
              minRows={2}
              maxLength={4096}
              {...form.getInputProps('tts')}
            />
            {form.values.tts && <LanguageSelect {...form.getInputProps('tts_language')} />}
            <AudioField label="Play" description="Played after that." {...form.getInputProps('audio_file')} />
            <TextInput
              label="Connect to"
              description="Rung last and connected to the call."
              type="tel"
              placeholder="+44 7700 900124"
              {...form.getInputProps('bridge_to')}
            />
            <NumberInput
              label="Ring for"
              description="Maximum ringing time per phone."
              suffix=" seconds"
              min={5}
              max={120}
              {...form.getInputProps('timeout_seconds')}
            />
            <Checkbox label="Record the call" {...form.getInputProps('record', { type: 'checkbox' })} />
          </Stack>
        )}
      </ApiForm>
    </Modal>
  );
}
