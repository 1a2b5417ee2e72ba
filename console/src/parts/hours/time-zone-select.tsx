import { Select, type SelectProps } from '@mantine/core';
import { useHere } from '../account.tsx';

const zones = Intl.supportedValuesOf('timeZone');

interface TimeZoneSelectProps extends Omit<SelectProps, 'data' | 'value' | 'onChange'> {
  /** null or empty: that of the account. */
  value?: string | null | undefined;
  onChange?: (value: string | null) => void;
}

/** A time zone; none means that of the account. */
export function TimeZoneSelect({ value, onChange, ...props }: TimeZoneSelectProps) {
  const { timeZone } = useHere();
  const data = value && !zones.includes(value) ? [value, ...zones] : zones;
  return (
    <Select
      label="Time zone"
      {...props}
      placeholder={`That of the account: ${timeZone}`}
      data={data}
      value={value || null}
      onChange={(zone) => onChange?.(zone)}
      searchable
      clearable
      limit={100}
    />
  );
}
