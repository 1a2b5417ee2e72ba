import { ActionIcon, Button, Card, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { blankCard } from './draft.ts';
import type { FormProps } from './form-props.ts';

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
            <ActionIcon
              variant="subtle"
              color="gray"
              disabled={contacts.length === 1}
              aria-label={`Remove card ${index + 1}`}
              onClick={() => form.removeListItem('contacts', index)}
            >
              <IconTrash size={17} />
            </ActionIcon>
          </Group>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <TextInput label="Name" required {...form.getInputProps(`contacts.${index}.formatted_name`)} />
            <TextInput label="Phone" type="tel" {...form.getInputProps(`contacts.${index}.phone`)} />
            <TextInput label="Email" type="email" {...form.getInputProps(`contacts.${index}.email`)} />
            <TextInput label="Company" {...form.getInputProps(`contacts.${index}.company`)} />
          </SimpleGrid>
        </Card>
      ))}
      <div>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={15} />}
          onClick={() => form.insertListItem('contacts', blankCard())}
        >
          Add a card
        </Button>
      </div>
    </Stack>
  );
}
