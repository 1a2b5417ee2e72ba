import { TextInput } from '@mantine/core';
import type { FormProps } from '../form-props.ts';

interface SecondsInputProps extends FormProps {
  at: 'notify_delay' | 'notify_timeout' | 'notify_reminder';
  label: string;
  description: string;
}

/** A time in seconds, up to a day; empty is none. */
export const SecondsInput = ({ form, at, ...props }: SecondsInputProps) => (
  <TextInput
    {...props}
    type="number"
    placeholder="0"
    min={0}
    max={86_400}
    step={1}
    {...form.getInputProps(at)}
    onChange={({ currentTarget: { value } }) => form.setFieldValue(at, value === '' ? '' : Number(value))}
  />
);
