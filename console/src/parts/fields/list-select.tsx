import { Select } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, invalidate, sayProblem } from '../../api/index.ts';
import { notifications } from '../../api/notifications.ts';
import { sayFigure } from '../index.ts';
import { useAllLists } from './use-all-lists.ts';

interface ListSelectProps {
  label: string;
  description?: string;
  value: string;
  onChange(uuid: string): void;
  /** Lists that are not offered. */
  without?: readonly string[];
}

const make = 'make:';

/** One list; typing a name that no list has offers to make it. */
export function ListSelect({ label, description, value, onChange, without = [] }: ListSelectProps) {
  const client = useQueryClient();
  const lists = useAllLists();
  const [search, setSearch] = useState('');
  const known = lists
    .filter(({ uuid }) => !without.includes(uuid))
    .map(({ uuid, name, contact_count }) => ({ value: uuid, label: `${name} (${sayFigure(contact_count)})` }));
  const wanted = search.trim();
  const isKnown = lists.some(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  const isShown = known.some((option) => option.label === search);
  const offer = wanted && !isKnown && !isShown ? [{ value: make + wanted, label: `Make the list “${wanted}”` }] : [];
  const choose = async (chosen: string | null) => {
    if (!chosen?.startsWith(make)) return onChange(chosen ?? '');
    try {
      const list = await call('post', '/v2/lists/', { body: { name: chosen.slice(make.length) } });
      await invalidate(client, ['/v2/lists/']);
      onChange(list.uuid);
    } catch (error) {
      notifications.show({ color: 'red', title: 'That did not work', message: sayProblem(error) });
    }
  };
  return (
    <Select
      label={label}
      {...(description && { description })}
      placeholder="None"
      searchable
      clearable
      data={[...known, ...offer]}
      value={value || null}
      onChange={(chosen) => void choose(chosen)}
      searchValue={search}
      onSearchChange={setSearch}
      nothingFoundMessage="No lists yet. Type a name to make one."
    />
  );
}
