import { ActionIcon, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { ListField } from '../routing/list-field.tsx';
import type { ConfigValues } from './config.tsx';

/** Groups of words to look for, each with a name. */
export function KeywordGroups({ form }: { form: UseFormReturnType<ConfigValues> }) {
  const groups = form.values.keyword_groups;
  return (
    <Stack>
      {groups.length === 0 && (
        <Text size="sm" c="dimmed">
          No groups yet.
        </Text>
      )}
      {groups.map((group, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: groups are told apart by their place while their names are typed
        <Group key={index} align="flex-start" gap="sm">
          <TextInput
            label="Group"
            placeholder="Complaints"
            required
            maxLength={100}
            style={{ flex: '1 1 10rem' }}
            {...form.getInputProps(`keyword_groups.${index}.name`)}
          />
          <div style={{ flex: '3 1 16rem' }}>
            <ListField
              form={form}
              path={`keyword_groups.${index}.keywords`}
              label="Keywords"
              placeholder={group.keywords.length === 0 ? 'refund' : ''}
              maxTags={100}
            />
          </div>
          <ActionIcon
            variant="subtle"
            color="red"
            mt={28}
            aria-label={`Remove the group ${group.name || index + 1}`}
            onClick={() => form.removeListItem('keyword_groups', index)}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </Group>
      ))}
      {groups.length < 50 && (
        <Button
          variant="light"
          leftSection={<IconPlus size={16} />}
          style={{ alignSelf: 'flex-start' }}
          onClick={() => form.insertListItem('keyword_groups', { name: '', keywords: [] })}
        >
          Add a group
        </Button>
      )}
      <Text size="xs" c="dimmed">
        Whole words in any case; one keyword may be several words. Enter after each.
      </Text>
    </Stack>
  );
}
