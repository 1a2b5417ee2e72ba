import { Checkbox, Radio, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { covers } from '../../api/may.ts';
import { useHere } from '../../parts/account.tsx';
import { scopeGroups } from './scopes.ts';

interface ScopesFieldProps {
  value: string[];
  onChange(scopes: string[]): void;
  error?: string | undefined;
  /** Of a role, which is never the operator's. */
  plain?: boolean;
}

type Preset = 'all' | 'read' | 'chosen';
const presets: Partial<Record<Preset, string[]>> = { all: ['read', 'write'], read: ['read'] };

function presetOf(scopes: string[]): Preset {
  const plain = scopes.filter((scope) => scope !== 'operator').sort();
  return plain.join() === 'read,write' ? 'all' : plain.join() === 'read' ? 'read' : 'chosen';
}

/** What somebody may do: everything, reading, or reading and writing by group. Nobody is offered more than they have. */
export function ScopesField({ value, onChange, error, plain }: ScopesFieldProps) {
  const own = useHere().session.scopes;
  const [preset, setPreset] = useState(() => presetOf(value));
  const operator = value.includes('operator') ? ['operator'] : [];
  const choose = (next: Preset) => {
    setPreset(next);
    const scopes = presets[next];
    if (scopes) onChange([...scopes, ...operator]);
  };
  return (
    <Stack gap="sm">
      <Radio.Group label="May do" value={preset} onChange={(next) => choose(next as Preset)}>
        <Stack gap={8} mt={4}>
          <Radio
            value="all"
            label="Everything of the account"
            disabled={!own.includes('write') || !own.includes('read')}
          />
          <Radio value="read" label="Read everything, change nothing" disabled={!own.includes('read')} />
          <Radio value="chosen" label="Only what is chosen here" />
        </Stack>
      </Radio.Group>
      {preset === 'chosen' && <ScopesTable value={value} onChange={onChange} own={own} />}
      {own.includes('operator') && !plain && (
        <Checkbox
          label="Operator of the server"
          description="Limits of accounts, and what belongs to the whole installation."
          checked={operator.length > 0}
          onChange={(event) =>
            onChange(
              event.currentTarget.checked ? [...value, 'operator'] : value.filter((scope) => scope !== 'operator'),
            )
          }
        />
      )}
      {error && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {error}
        </Text>
      )}
    </Stack>
  );
}

function ScopesTable({ value, onChange, own }: ScopesFieldProps & { own: string[] }) {
  const box = (scope: string, label: string) => {
    const byAll = !value.includes(scope) && covers(value, scope);
    return (
      <Checkbox
        aria-label={label}
        checked={covers(value, scope)}
        disabled={byAll || !covers(own, scope)}
        onChange={(event) =>
          onChange(event.currentTarget.checked ? [...value, scope] : value.filter((one) => one !== scope))
        }
      />
    );
  };
  return (
    <Table verticalSpacing={6} maw="36rem" aria-label="Scopes by group">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Group</Table.Th>
          <Table.Th w={70}>Read</Table.Th>
          <Table.Th w={70}>Write</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        <Table.Tr>
          <Table.Th scope="row">All groups</Table.Th>
          <Table.Td>{box('read', 'Read all groups')}</Table.Td>
          <Table.Td>{box('write', 'Write all groups')}</Table.Td>
        </Table.Tr>
        {scopeGroups.map(([group, name, hint]) => (
          <Table.Tr key={group}>
            <Table.Th scope="row" fw={500}>
              {name}
              <Text size="xs" c="dimmed" fw={400}>
                {hint}
              </Text>
            </Table.Th>
            <Table.Td>{box(`${group}:read`, `Read ${name}`)}</Table.Td>
            <Table.Td>{box(`${group}:write`, `Write ${name}`)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
