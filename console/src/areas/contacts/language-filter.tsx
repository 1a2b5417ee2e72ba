import { Select } from '@mantine/core';
import type { Schema } from '../../api/index.ts';
import { languageOptions } from '../../parts/fields/language.ts';

interface LanguageFilterProps {
  value: string;
  onChange(code: string): void;
  /** The languages of those in sight are offered. */
  rows: Schema<'Contact'>[];
}

/** Contacts of one language. */
export function LanguageFilter({ value, onChange, rows }: LanguageFilterProps) {
  const known = new Set(rows.map(({ language_code }) => language_code).filter((code) => code !== ''));
  if (value) known.add(value);
  return (
    <Select
      aria-label="Language"
      placeholder="Language"
      data={languageOptions([...known].sort())}
      value={value || null}
      onChange={(code) => onChange(code ?? '')}
      clearable
      w={190}
      nothingFoundMessage="None of those in sight has one."
    />
  );
}
