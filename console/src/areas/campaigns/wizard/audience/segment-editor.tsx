import { Autocomplete, Group, Input, Select, Stack, TextInput } from '@mantine/core';
import { AddRow, RemoveRow } from '../../../../parts/index.ts';
import type { StepProps } from '../steps/step-props.ts';
import { type ConditionForm, knownFields, operators } from './segment.ts';

const choices = Object.entries(operators).map(([value, { says }]) => ({ value, label: says }));

/** Conditions that people must meet, one a row. */
export function SegmentEditor({ form }: StepProps) {
  const rows = form.values.segment;
  return (
    <Input.Wrapper
      label="Segment: match all conditions"
      labelElement="div"
      description="Filter by a contact field or attribute. Without conditions, everyone on the lists is included."
    >
      <Stack gap="xs" mt="xs">
        {rows.map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no name of their own
          <ConditionRow key={index} form={form} row={row} index={index} />
        ))}
        <AddRow
          disabled={rows.length >= 20}
          onClick={() => form.insertListItem('segment', { field: '', operator: 'EQ', value: '' })}
        >
          Add a condition
        </AddRow>
      </Stack>
    </Input.Wrapper>
  );
}

function ConditionRow({ form, row, index }: StepProps & { row: ConditionForm; index: number }) {
  const at = (name: keyof ConditionForm) => form.getInputProps(`segment.${index}.${name}`);
  const { takes } = operators[row.operator];
  const what = `Condition ${index + 1}`;
  return (
    <Group align="flex-start" gap="xs">
      <Autocomplete
        aria-label={`${what}: field or attribute`}
        placeholder="Attribute, such as city"
        data={knownFields}
        w={{ base: '100%', sm: 200 }}
        {...at('field')}
      />
      <Select
        aria-label={`${what}: comparison`}
        data={choices}
        allowDeselect={false}
        w={{ base: '100%', sm: 150 }}
        {...at('operator')}
      />
      {takes !== 'nothing' && (
        <TextInput
          aria-label={`${what}: value`}
          placeholder={takes === 'several' ? 'London, Leeds' : 'London'}
          flex={1}
          miw={160}
          {...at('value')}
        />
      )}
      <RemoveRow what={`condition ${index + 1}`} onClick={() => form.removeListItem('segment', index)} />
    </Group>
  );
}
