import { Select } from '@mantine/core';
import { useList } from '../../../api/index.ts';
import { covers } from '../../../api/may.ts';
import { useHere } from '../../../parts/account.tsx';

interface RoleSelectProps {
  value: string;
  onChange(role: string): void;
  error?: string | undefined;
  /** Offers scopes one by one as well, by this value. */
  custom?: string;
}

/** The roles that one may give: nobody gives more than they have. */
export function RoleSelect({ value, onChange, error, custom }: RoleSelectProps) {
  const { rows } = useList('/v2/roles/');
  const { scopes: own } = useHere().session;
  const chosen = rows.find(({ name }) => name === value);
  const data = rows.map(({ name, scopes }) => ({
    value: name,
    label: name.charAt(0).toUpperCase() + name.slice(1),
    disabled: !scopes.every((scope) => covers(own, scope)),
  }));
  return (
    <Select
      label="Role"
      description={chosen?.description || 'What they may do.'}
      data={custom === undefined ? data : [...data, { value: custom, label: 'Custom: choose scopes' }]}
      allowDeselect={false}
      maw="24rem"
      value={value}
      onChange={(role) => role !== null && onChange(role)}
      error={error}
    />
  );
}
