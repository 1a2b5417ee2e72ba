import { Select, type SelectProps } from '@mantine/core';
import { useState } from 'react';
import { templateLanguages } from './countries.ts';

interface LanguageSelectProps extends Omit<SelectProps, 'data' | 'value' | 'onChange'> {
  value?: string | null;
  onChange?: (value: string | null) => void;
}

const isCode = (text: string): boolean => /^[a-z]{2,3}(_[A-Za-z0-9]{2,8})*$/.test(text);

/** A language by name; one that is not offered can be typed as a code. */
export function LanguageSelect({ value, onChange, ...props }: LanguageSelectProps) {
  const [search, setSearch] = useState('');
  const data = templateLanguages(value ?? '');
  const typed = search.trim();
  const isNew = isCode(typed) && !data.some((option) => option.value === typed);
  return (
    <Select
      {...props}
      data={isNew ? [...data, { value: typed, label: typed }] : data}
      value={value || null}
      onChange={(chosen) => onChange?.(chosen)}
      searchable
      searchValue={search}
      onSearchChange={setSearch}
      nothingFoundMessage="Type a code such as pt_BR."
    />
  );
}
