import { Autocomplete, type AutocompleteProps } from '@mantine/core';
import { useList } from '../../api/index.ts';

interface NumberSelectProps extends Omit<AutocompleteProps, 'data'> {
  /** What the number must be able to do. */
  capability?: 'VOICE' | 'SMS';
  /** Others to offer, such as registered names. */
  more?: string[];
}

/** One of the account's numbers, chosen or typed: in the sandbox any number will do. */
export function NumberSelect({ capability, more = [], ...props }: NumberSelectProps) {
  const numbers = useList('/v2/number/', { capability }, { pageSize: 200 });
  const data = [...new Set([...more, ...numbers.rows.map(({ number }) => number)])];
  return <Autocomplete {...props} data={data} limit={50} />;
}
