import { Button, Group, Stack, Table, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { type Difference, sayValue } from './differences.ts';

export type Choice = 'review' | 'overwrite' | 'cancel';

/** Somebody changed the object while it was edited: what to do. Closing it does nothing. */
export function askAboutConflict(found: readonly Difference[]): Promise<Choice> {
  return new Promise((resolve) => {
    const choose = (choice: Choice) => {
      resolve(choice);
      modals.close(id);
    };
    const id = modals.open({
      size: 'lg',
      title: (
        <Text component="span" fw={600}>
          Somebody changed this meanwhile
        </Text>
      ),
      onClose: () => resolve('cancel'),
      children: (
        <Stack>
          <Text size="sm">
            Your changes are not saved yet. Nothing is lost: look at what they changed, or replace it with your version.
          </Text>
          <DifferenceTable found={found} />
          <Group justify="flex-end">
            <Button variant="default" onClick={() => choose('cancel')}>
              Cancel
            </Button>
            <Button color="red.8" variant="light" onClick={() => choose('overwrite')}>
              Overwrite
            </Button>
            <Button data-autofocus onClick={() => choose('review')}>
              Review their version
            </Button>
          </Group>
        </Stack>
      ),
    });
  });
}

function DifferenceTable({ found }: { found: readonly Difference[] }) {
  if (found.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        They changed something that this form does not show.
      </Text>
    );
  }
  return (
    <Table.ScrollContainer minWidth={420}>
      <Table verticalSpacing="xs" fz="sm" aria-label="What they changed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Field</Table.Th>
            <Table.Th>Theirs</Table.Th>
            <Table.Th>Yours</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {found.map(({ name, label, theirs, yours }) => (
            <Table.Tr key={name}>
              <Table.Th scope="row">{label}</Table.Th>
              <Table.Td style={cell}>{sayValue(theirs)}</Table.Td>
              <Table.Td style={cell}>{sayValue(yours)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

const cell = { whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' } as const;
