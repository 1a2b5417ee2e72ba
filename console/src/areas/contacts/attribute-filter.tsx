import { Autocomplete, Button, Group, Pill, TextInput } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';

interface AttributeFilterProps {
  /** Each as the API takes it: `city:London`. */
  value: string[];
  onChange(value: string[]): void;
  /** Somebody's attributes, to suggest their names. */
  sample: object | undefined;
}

/** Filters by attributes: any number of them, and all must hold. */
export function AttributeFilter({ value, onChange, sample }: AttributeFilterProps) {
  const [name, setName] = useState('');
  const [wanted, setWanted] = useState('');
  const add = (event: FormEvent) => {
    event.preventDefault();
    if (!name.trim()) return;
    onChange([...new Set([...value, `${name.trim()}:${wanted.trim()}`])]);
    setName('');
    setWanted('');
  };
  return (
    <Group gap="xs" component="form" aria-label="By attribute" onSubmit={add as never}>
      <Autocomplete
        aria-label="Name of the attribute"
        placeholder="Attribute"
        data={Object.keys(sample ?? {})}
        value={name}
        onChange={setName}
        maxLength={64}
        w={160}
      />
      <TextInput
        aria-label="Value of the attribute"
        placeholder="is exactly"
        value={wanted}
        onChange={(event) => setWanted(event.currentTarget.value)}
        w={160}
      />
      <Button type="submit" variant="default" disabled={!name.trim()} leftSection={<IconFilter size={16} />}>
        Filter
      </Button>
      {value.map((each) => (
        <Pill
          key={each}
          size="md"
          withRemoveButton
          removeButtonProps={{ 'aria-label': `Remove the filter ${each}`, tabIndex: 0, 'aria-hidden': false }}
          onRemove={() => onChange(value.filter((other) => other !== each))}
        >
          {each.replace(':', ': ')}
        </Pill>
      ))}
    </Group>
  );
}
