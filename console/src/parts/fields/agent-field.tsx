import { Autocomplete, type AutocompleteProps, Text } from '@mantine/core';
import { useList } from '../../api/hooks.ts';

/** A phone number that is chosen from the agents of the account by their names, or typed. */
export function AgentField(props: Omit<AutocompleteProps, 'data' | 'filter' | 'renderOption'>) {
  const agents = useList('/v2/agent-configs/', {}, { pageSize: 200 });
  const names = new Map(
    agents.rows.flatMap(({ name, numbers }) =>
      numbers.filter((number) => !number.startsWith('sip')).map((number) => [number, name] as const),
    ),
  );
  const nameOf = (number: string) => names.get(number) ?? '';
  return (
    <Autocomplete
      type="tel"
      {...props}
      data={[...names.keys()]}
      filter={({ options, search }) => {
        const words = search.trim().toLowerCase();
        return options.filter(
          (option) =>
            'value' in option && (option.value.includes(words) || nameOf(option.value).toLowerCase().includes(words)),
        );
      }}
      renderOption={({ option }) => (
        <Text size="sm">
          {nameOf(option.value)}{' '}
          <Text span c="dimmed" size="sm" inherit>
            {option.value}
          </Text>
        </Text>
      )}
    />
  );
}
