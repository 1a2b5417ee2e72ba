import { MultiSelect } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { type Schema, useList } from '../../api/index.ts';

interface PickContactsProps {
  value?: string[];
  onChange?(chosen: string[]): void;
  error?: ReactNode;
}

const labelOf = ({ name, phone_number }: Schema<'Contact'>): string =>
  name ? `${name}, ${phone_number}` : phone_number;

/** Several contacts, found by name or number as one types. */
export function PickContacts({ value = [], onChange, error }: PickContactsProps) {
  const [search, setSearch] = useState('');
  const [q] = useDebouncedValue(search, 250);
  const found = useList('/v2/contacts/', q ? { q } : {}, { pageSize: 20 });
  // The names of those chosen before are kept: the next search does not bring them.
  const [chosen, setChosen] = useState<{ value: string; label: string }[]>([]);
  const options = found.rows.map((one) => ({ value: one.uuid, label: labelOf(one) }));
  const all = [...chosen, ...options.filter((option) => !chosen.some((each) => each.value === option.value))];
  return (
    <MultiSelect
      label="Contacts"
      description="Search by name or number."
      placeholder="Search"
      searchable
      required
      data={all}
      // The server has searched already.
      filter={({ options: every }) => every}
      value={value}
      error={error}
      onChange={(uuids) => {
        setChosen(all.filter((option) => uuids.includes(option.value)));
        onChange?.(uuids);
      }}
      searchValue={search}
      onSearchChange={setSearch}
      nothingFoundMessage={found.isLoading ? 'Searching…' : 'No contacts found.'}
    />
  );
}
