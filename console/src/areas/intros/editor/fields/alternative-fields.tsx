import { Autocomplete, Card, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { AddRow, RemoveRow } from '../../../../parts/index.ts';
import type { AltType } from '../../../../parts/intros/form.ts';
import { InteractiveFields, type Kind, kindNames, kindOfType } from '../../../../parts/writing/index.ts';
import { type FormProps, linked } from '../form-props.ts';

const types: { value: AltType; label: string }[] = [
  { value: 'QUICK_REPLY', label: 'Quick reply buttons' },
  { value: 'LIST', label: 'List' },
  { value: 'CTA', label: 'Link button' },
  { value: 'FLOW', label: 'Flow' },
  { value: 'INTERACTIVE', label: 'Other interactive' },
];
const kinds = Object.entries(kindNames).map(([value, label]) => ({ value, label }));

/** The reply that takes the place of the usual one, and when it does. */
export function AlternativeFields({ form }: FormProps) {
  const { type, filter, chatapp_components: components } = form.values.reply_alt;
  const names = [...new Set(form.values.variables.map(({ name }) => name).filter((name) => name !== ''))];
  const choose = (next: AltType): void => {
    form.setFieldValue('reply_alt.type', next);
    const kind = kindOfType[next];
    if (kind) form.setFieldValue('reply_alt.chatapp_components.type', kind);
  };
  return (
    <Card bg="transparent">
      <Stack>
        <div>
          <Text fw={600} size="sm">
            When
          </Text>
          <Text size="xs" c="dimmed">
            All of these must hold. Without any, the alternative is always sent.
          </Text>
        </div>
        {filter.map((_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have nothing else to be told by
          <Group key={index} align="flex-start" gap="xs" wrap="wrap">
            <Autocomplete
              aria-label={`Variable of condition ${index + 1}`}
              placeholder="PropertyPrice"
              data={names}
              style={{ flex: '2 1 9rem' }}
              {...form.getInputProps(`reply_alt.filter.${index}.name`)}
            />
            {(['gte', 'lte'] as const).map((bound) => (
              <TextInput
                key={bound}
                aria-label={`${bound === 'gte' ? 'From' : 'To'}, condition ${index + 1}`}
                placeholder={bound === 'gte' ? 'from 250000' : 'to 500000'}
                inputMode="numeric"
                style={{ flex: '1 1 6rem' }}
                {...form.getInputProps(`reply_alt.filter.${index}.${bound}`)}
              />
            ))}
            <RemoveRow what={`condition ${index + 1}`} onClick={() => form.removeListItem('reply_alt.filter', index)} />
          </Group>
        ))}
        <AddRow onClick={() => form.insertListItem('reply_alt.filter', { name: '', gte: '', lte: '' })}>
          Add a condition
        </AddRow>
        <Select
          label="Kind of reply"
          data={types}
          allowDeselect={false}
          value={type}
          onChange={(value) => value && choose(value as AltType)}
        />
        {type === 'INTERACTIVE' && (
          <Select
            label="Kind of interactive reply"
            data={kinds}
            allowDeselect={false}
            value={components.type}
            onChange={(value) => value && form.setFieldValue('reply_alt.chatapp_components.type', value as Kind)}
          />
        )}
        <InteractiveFields form={form} at="reply_alt.chatapp_components" value={components} {...linked(form)} />
      </Stack>
    </Card>
  );
}
