import { Button, Group, Text, TextInput } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useState } from 'react';
import { sayProblem, useAct } from '../../../../api/index.ts';
import { Section } from '../../../../parts/index.ts';
import type { Campaign } from '../form.ts';

const remembered = 'parley-test-number';

/** Sends the message to one number, to look at it on a real phone. No launch counts it. */
export function TestSend({ campaign }: { campaign: Campaign }) {
  const [number, setNumber] = useState(localStorage.getItem(remembered) ?? '');
  const test = useAct('post', '/v2/campaigns/{uuid}/test/', { quiet: true });
  const [result] = test.data?.results ?? [];
  const send = () => {
    localStorage.setItem(remembered, number);
    test.mutate({ params: { uuid: campaign.uuid }, body: { to: [number.trim()] } });
  };
  const problem = test.error ? sayProblem(test.error) : result?.problem;
  return (
    <Section title="Send a test" description="To yourself or a colleague. Placeholders are filled for that number.">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <Group align="flex-end" gap="xs">
          <TextInput
            label="Your number"
            type="tel"
            placeholder="+44 7700 900123"
            required
            style={{ flex: 1 }}
            value={number}
            onChange={(event) => setNumber(event.currentTarget.value)}
          />
          <Button
            type="submit"
            variant="default"
            leftSection={<IconSend size={16} />}
            loading={test.isPending}
            disabled={!number.trim()}
          >
            Send a test
          </Button>
        </Group>
      </form>
      <Text size="sm" mt="xs" role="status" c={problem ? 'var(--mantine-color-error)' : 'dimmed'}>
        {problem ?? (result && (result.missing.length > 0 ? `Sent, without ${result.missing.join(', ')}.` : 'Sent.'))}
      </Text>
    </Section>
  );
}
