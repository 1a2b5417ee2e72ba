import { Alert, Button, Group, List, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { type Schema, useAct } from '../../../api/index.ts';
import { Section } from '../../../parts/index.ts';
import { channels } from './words.ts';

type Channel = Schema<'SafeguardExplainRequest'>['channel'];

/** Says what would become of an SMS, a message or a call; nothing is sent. */
export function TryIt() {
  const [explanation, setExplanation] = useState<Schema<'SafeguardExplanation'>>();
  const form = useForm({ initialValues: { channel: 'SMS', sender: '', to: '' } });
  const explain = useAct('post', '/v2/account/safeguards/explain/', { onDone: setExplanation });
  const ask = form.onSubmit((values) => explain.mutate({ body: { ...values, channel: values.channel as Channel } }));
  return (
    <Section title="Test" description="What the stored safeguards would do. Nothing is sent or counted.">
      <Stack>
        <form onSubmit={ask}>
          <Group align="end">
            <Select label="Channel" w="8rem" data={channels} allowDeselect={false} {...form.getInputProps('channel')} />
            <TextInput label="From" required placeholder="+44 20 7946 0000" {...form.getInputProps('sender')} />
            <TextInput label="To" required placeholder="+44 7700 900123" {...form.getInputProps('to')} />
            <Button type="submit" variant="default" loading={explain.isPending}>
              Test
            </Button>
          </Group>
        </form>
        {explanation && (
          <Alert role="status" color={explanation.allowed ? 'green' : 'red'} title={titleOf(explanation)}>
            {explanation.refusals.length > 0 && (
              <List size="sm">
                {explanation.refusals.map(({ detail }) => (
                  <List.Item key={detail}>{detail}</List.Item>
                ))}
              </List>
            )}
          </Alert>
        )}
      </Stack>
    </Section>
  );
}

const titleOf = ({ allowed, country }: Schema<'SafeguardExplanation'>): string =>
  `${allowed ? 'It would be sent' : 'It would be refused'}${country === null ? '' : ` (${country})`}`;
