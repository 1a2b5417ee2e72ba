import { Card, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { AddRow, RemoveRow } from '../../../parts/index.ts';
import { blankCard } from '../../../parts/messages/draft.ts';
import type { FormProps } from '../../../parts/messages/form-props.ts';

/** Contact cards, one or several. */
export function ContactsFields({ form }: FormProps) {
  const { contacts } = form.values;
  return (
    <Stack gap="sm">
      {contacts.map((_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: cards have nothing else to be told by
        <Card key={index} bg="transparent">
          <Group justify="space-between" mb="xs">
            <Text size="sm" fw={600}>
              Card {index + 1}
            </Text>
            <RemoveRow
              what={`card ${index + 1}`}
              disabled={contacts.length === 1}
              onClick={() => form.removeListItem('contacts', index)}
            />
          </Group>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <TextInput label="Name" required {...form.getInputProps(`contacts.${index}.formatted_name`)} />
            <TextInput label="Phone" type="tel" {...form.getInputProps(`contacts.${index}.phone`)} />
            <TextInput label="Email" type="email" {...form.getInputProps(`contacts.${index}.email`)} />
            <TextInput label="Company" {...form.getInputProps(`contacts.${index}.company`)} />
          </SimpleGrid>
        </Card>
      ))}
      <AddRow onClick={() => form.insertListItem('contacts', blankCard())}>Add a card</AddRow>
    </Stack>
  );
}
