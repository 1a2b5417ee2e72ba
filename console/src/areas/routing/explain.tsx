import { SimpleGrid, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { call, type Schema } from '../../api/index.ts';
import { NumberSelect } from '../../parts/fields/number-select.tsx';
import { fromLocal } from '../../parts/hours/local-time.ts';
import { ApiForm, Section } from '../../parts/index.ts';
import { Explanation } from './explanation.tsx';
import { type Channel, type ConfigValues, configBody } from './values.ts';

/** Tries the routing on the screen with made-up facts, saved or not. Nothing happens; it says which route would win, and why. */
export function Explain({ values }: { values: ConfigValues }) {
  const [found, setFound] = useState<{ channel: Channel; explanation: Schema<'RouteExplanation'> }>();
  const { channel } = values;
  const isVoice = channel === 'VOICE';
  return (
    <Section
      title="Test routing"
      description="Enter a call or message to see which route applies and why. It tests what is on the screen, saved or not; nothing is called or sent."
    >
      <ApiForm
        scope="routing:read"
        side
        initialValues={{ number: values.numbers[0] ?? '', from: '', at: '', text: '', digits: '' }}
        submit={({ number, from, at, text, digits }) => {
          const moment = fromLocal(at);
          const body = {
            config: { ...configBody(values), name: values.name.trim() || 'Draft' },
            ...(number && { number }),
            ...(from && { from }),
            ...(moment && { at: moment }),
            ...(text && { text }),
            ...(digits && { digits }),
          };
          return call('post', '/v2/routing-configs/explain/', { body });
        }}
        button="Explain"
        onDone={(explanation) => setFound({ channel, explanation })}
      >
        {(form) => (
          <>
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              <NumberSelect
                label={isVoice ? 'Number that is called' : 'Number that is written to'}
                description="Empty: the first of the config."
                {...form.getInputProps('number')}
              />
              <TextInput
                label={isVoice ? 'Who calls' : 'Who writes'}
                description="Empty: withheld."
                type="tel"
                placeholder="+44 7700 900123"
                {...form.getInputProps('from')}
              />
              <TextInput
                type="datetime-local"
                label="When"
                description="By the clock of this device. Empty: now."
                {...form.getInputProps('at')}
              />
              {isVoice && (
                <TextInput
                  label="Digits they enter"
                  description="Of numbers that ask for digits."
                  inputMode="numeric"
                  placeholder="1"
                  {...form.getInputProps('digits')}
                />
              )}
            </SimpleGrid>
            {!isVoice && <Textarea label="What they write" autosize minRows={2} {...form.getInputProps('text')} />}
          </>
        )}
      </ApiForm>
      <div aria-live="polite">{found && <Explanation channel={found.channel} found={found.explanation} />}</div>
    </Section>
  );
}
