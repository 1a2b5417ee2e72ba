import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useList, useOne } from '../../api/index.ts';

interface ContactPickerProps {
  label: string;
  description?: string;
  placeholder?: string;
  value: string | null;
  onChange(uuid: string | null): void;
}

/** Finds one contact by name or number as one types. */
export function ContactPicker({ label, description, placeholder, value, onChange }: ContactPickerProps) {
  const [search, setSearch] = useState('');
  const [q] = useDebouncedValue(search, 250);
  const chosen = useOne('/v2/contacts/{uuid}/', { uuid: value ?? '' }, {}, { enabled: value !== null });
  const labelOf = (one: { name: string; phone_number: string }) =>
    one.name ? `${one.name}, ${one.phone_number}` : one.phone_number;
  const isShown = chosen.data && q === labelOf(chosen.data);
  const found = useList('/v2/contacts/', q && !isShown ? { q } : {}, { pageSize: 20 });
  const options = new Map(found.rows.map((one) => [one.uuid, labelOf(one)]));
  if (chosen.data) options.set(chosen.data.uuid, labelOf(chosen.data));
  return (
    <Select
      label={label}
      {...(description && { description })}
      {...(placeholder && { placeholder })}
      searchable
      clearable
      data={[...options].map(([uuid, text]) => ({ value: uuid, label: text }))}
      // The server has searched already.
      filter={({ options: all }) => all}
      value={value}
      onChange={onChange}
      searchValue={search}
      onSearchChange={setSearch}
      nothingFoundMessage={found.isLoading ? 'Searching…' : 'No contacts found.'}
    />
  );
}
