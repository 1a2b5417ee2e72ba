import { Button, Stack, Text, Title } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { screensOf, type Values } from '../../parts/flows/flow-definition.ts';
import { FlowForm } from '../../parts/flows/flow-form.tsx';
import { EmptyState, Json } from '../../parts/index.ts';
import classes from './flows.module.css';

/** The screens of a flow as forms, to be filled in; nothing is sent. */
export function TryFlow({ name, definition }: { name: string; definition: unknown }) {
  const [answers, setAnswers] = useState<Values>();
  const screens = screensOf(definition);
  return (
    <section className={classes['phone']} aria-label="Preview of the flow">
      <div className={classes['top']}>
        <Title order={2} size="sm" style={{ overflowWrap: 'anywhere' }}>
          {name || 'Flow'}
        </Title>
        <Text size="xs" c="dimmed">
          Preview only: nothing is sent
        </Text>
      </div>
      <div className={classes['screen']}>
        {screens.length === 0 ? (
          <EmptyState title="No screens yet." />
        ) : answers ? (
          <Stack align="center" py="md">
            <IconCircleCheck size={40} aria-hidden />
            <Text role="status">This response would be sent.</Text>
            <Json value={answers} title="Answers" open />
            <Button variant="light" onClick={() => setAnswers(undefined)}>
              Start over
            </Button>
          </Stack>
        ) : (
          // Another definition is another form.
          <FlowForm key={JSON.stringify(screens)} screens={screens} onComplete={setAnswers} />
        )}
      </div>
    </section>
  );
}
