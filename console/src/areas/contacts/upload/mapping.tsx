import { Select, Stack, Table, Text, TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type ColumnPlan, type Target, targets } from './columns.ts';

/** Every column of the file with examples, and what it becomes. */
export function Mapping({ plan, onChange }: { plan: ColumnPlan[]; onChange(plan: ColumnPlan[]): void }) {
  const set = (place: number, change: Partial<ColumnPlan>) =>
    onChange(plan.map((column, at) => (at === place ? { ...column, ...change } : column)));
  const narrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false });
  if (narrow)
    return (
      <Stack component="ul" gap="lg" p={0} m={0} style={{ listStyle: 'none' }} aria-label="Columns">
        {plan.map((column, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have the same title
          <li key={place}>
            <Text size="sm" fw={600}>
              {column.title || `Column ${place + 1}`}
            </Text>
            <Text size="sm" c="dimmed" mb={6} lineClamp={2}>
              {column.samples.join(', ') || 'Empty'}
            </Text>
            <Becomes column={column} name={nameOf(column, place)} set={(change) => set(place, change)} />
          </li>
        ))}
      </Stack>
    );
  return (
    <Table.ScrollContainer minWidth={520}>
      <Table verticalSpacing="xs" aria-label="Columns">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Column</Table.Th>
            <Table.Th>First values</Table.Th>
            <Table.Th w="26rem">Becomes</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {plan.map((column, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have the same title
            <Table.Tr key={place}>
              <Table.Td>
                <Text size="sm" fw={600}>
                  {column.title || `Column ${place + 1}`}
                </Text>
              </Table.Td>
              <Table.Td maw="16rem">
                {column.samples.length === 0 && (
                  <Text size="sm" c="dimmed">
                    Empty
                  </Text>
                )}
                {column.samples.map((value, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: values may repeat
                  <Text key={at} size="sm" c="dimmed" truncate>
                    {value}
                  </Text>
                ))}
              </Table.Td>
              <Table.Td>
                <Becomes column={column} name={nameOf(column, place)} set={(change) => set(place, change)} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

const nameOf = ({ title }: ColumnPlan, place: number): string => title || `column ${place + 1}`;

interface BecomesProps {
  column: ColumnPlan;
  name: string;
  set(change: Partial<ColumnPlan>): void;
}

function Becomes({ column, name, set }: BecomesProps) {
  if (!column.title.trim())
    return (
      <Text size="sm" c="dimmed">
        Left out: it has no title.
      </Text>
    );
  return (
    <div style={{ display: 'flex', gap: '0.5rem' }}>
      <Select
        aria-label={`What “${name}” becomes`}
        data={targets}
        value={column.target}
        allowDeselect={false}
        maxDropdownHeight={340}
        onChange={(value) => set({ target: value as Target })}
        style={{ flex: 1 }}
      />
      {column.target === 'attribute' && (
        <TextInput
          aria-label={`Name of the attribute of “${name}”`}
          maxLength={64}
          value={column.attribute}
          onChange={(event) => set({ attribute: event.currentTarget.value })}
          style={{ flex: 1 }}
        />
      )}
    </div>
  );
}
