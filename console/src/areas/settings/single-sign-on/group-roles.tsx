import { Group, Select, Stack, TextInput } from '@mantine/core';
import { useList } from '../../../api/index.ts';
import { AddRow, RemoveRow } from '../../../parts/index.ts';

interface GroupRole {
  group: string;
  role: string;
}

interface GroupRolesProps {
  value: GroupRole[];
  onChange(value: GroupRole[]): void;
  errors: Record<string, unknown>;
}

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** The roles of the account, to choose from. */
export const useRoleChoices = () =>
  useList('/v2/roles/').rows.map(({ name }) => ({ value: name, label: capital(name) }));

/** Which role the members of a group have; the first that fits counts. */
export function GroupRoles({ value, onChange, errors }: GroupRolesProps) {
  const roles = useRoleChoices();
  const set = (place: number, change: Partial<GroupRole>) =>
    onChange(value.map((one, index) => (index === place ? { ...one, ...change } : one)));
  return (
    <Stack gap="xs">
      {value.map(({ group, role }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other key, and are edited in place
        <Group key={place} align="flex-end" wrap="nowrap">
          <TextInput
            label={place === 0 ? 'Group' : undefined}
            aria-label="Group"
            flex={1}
            required
            maxLength={300}
            value={group}
            onChange={(event) => set(place, { group: event.currentTarget.value })}
            error={errors[`group_roles.${place}.group`] as string | undefined}
          />
          <Select
            label={place === 0 ? 'Role' : undefined}
            aria-label="Role"
            data={roles}
            allowDeselect={false}
            value={role}
            onChange={(chosen) => chosen !== null && set(place, { role: chosen })}
            error={errors[`group_roles.${place}.role`] as string | undefined}
          />
          <RemoveRow what={`the group ${group}`} onClick={() => onChange(value.toSpliced(place, 1))} />
        </Group>
      ))}
      <AddRow onClick={() => onChange([...value, { group: '', role: 'agent' }])}>Add a group</AddRow>
    </Stack>
  );
}
