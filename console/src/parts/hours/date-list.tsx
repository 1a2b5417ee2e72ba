import { Button, Group, Input, Pill, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { locale } from '../locale.ts';

interface DateListProps {
  label: string;
  description?: string;
  /** Days: `2026-12-25`. */
  value?: string[];
  onChange(value: string[]): void;
  error?: ReactNode;
}

const shown = new Intl.DateTimeFormat(locale, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

/** A set of days: one is chosen and added, and each can be taken out. */
export function DateList({ label, description, value = [], onChange, error }: DateListProps) {
  const [day, setDay] = useState('');
  const add = () => {
    if (day) onChange([...new Set([...value, day])].sort());
    setDay('');
  };
  return (
    <Input.Wrapper label={label} error={error} {...(description && { description })} labelElement="div">
      <Group gap="xs" mt={4}>
        <TextInput
          type="date"
          aria-label={`${label}: a day to add`}
          value={day}
          onChange={(event) => setDay(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            add();
          }}
        />
        <Button variant="default" onClick={add} disabled={!day}>
          Add
        </Button>
      </Group>
      <Pill.Group mt="xs">
        {value.map((one) => (
          <Pill
            key={one}
            withRemoveButton
            removeButtonProps={{ 'aria-label': `Remove ${one}`, 'aria-hidden': false, tabIndex: 0 }}
            onRemove={() => onChange(value.filter((other) => other !== one))}
          >
            {shown.format(new Date(one))}
          </Pill>
        ))}
      </Pill.Group>
    </Input.Wrapper>
  );
}
