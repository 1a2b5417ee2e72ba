import { Group, Stack, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { ListField } from '../../parts/fields/list-field.tsx';
import { AddRow, RemoveRow } from '../../parts/index.ts';
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
          <RemoveRow
            labelled
            what={`the group ${group.name || index + 1}`}
            onClick={() => form.removeListItem('keyword_groups', index)}
          />
        </Group>
      ))}
      {groups.length < 50 && (
        <AddRow onClick={() => form.insertListItem('keyword_groups', { name: '', keywords: [] })}>Add a group</AddRow>
      )}
      <Text size="xs" c="dimmed">
        Whole words, case-insensitive; a keyword can be a phrase. Press Enter after each.
      </Text>
    </Stack>
  );
}
