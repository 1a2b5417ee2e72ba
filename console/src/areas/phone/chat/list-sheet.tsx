import { Button, Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Sheet } from '../frame/sheet.tsx';
import type { Message } from '../types.ts';

type Choice = NonNullable<Message['list']>['sections'][number]['rows'][number];

/** The rows of a list that a message offers; one is chosen and sent. */
export function ListSheet({
  list,
  onClose,
  onChoose,
}: {
  list: NonNullable<Message['list']>;
  onClose(): void;
  onChoose(row: Choice): void;
}) {
  const [id, setId] = useState<string | null>(null);
  const chosen = list.sections.flatMap(({ rows }) => rows).find((row) => row.id === id);
  return (
    <Sheet title={list.title || 'Choose'} onClose={onClose}>
      <Radio.Group value={id} onChange={setId} aria-label={list.title || 'Choose'}>
        <Stack gap="md">
          {list.sections.map((section) => (
            <Stack key={section.rows[0]?.id ?? section.title} gap="xs">
              {section.title && (
                <Text size="sm" fw={600} c="brand" component="h4">
                  {section.title}
                </Text>
              )}
              {section.rows.map((row) => (
                <Radio
                  key={row.id}
                  value={row.id}
                  label={row.title}
                  description={row.description}
                  labelPosition="left"
                  styles={{ body: { justifyContent: 'space-between' } }}
                />
              ))}
            </Stack>
          ))}
        </Stack>
      </Radio.Group>
      <Button fullWidth mt="lg" radius="xl" disabled={!chosen} onClick={() => chosen && onChoose(chosen)}>
        Send
      </Button>
    </Sheet>
  );
}
