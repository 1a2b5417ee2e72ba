import { NumberInput } from '@mantine/core';
import type { FormProps } from './form-props.ts';

interface SecondsInputProps extends FormProps {
  at: 'notify_delay' | 'notify_timeout' | 'notify_reminder';
  label: string;
  description: string;
}

/** A time in seconds, up to a day; empty is none. */
export const SecondsInput = ({ form, at, ...props }: SecondsInputProps) => (
  <NumberInput
    {...props}
    placeholder="0"
    min={0}
    max={86_400}
    allowDecimal={false}
    {...form.getInputProps(at)}
    onChange={(value) => form.setFieldValue(at, value === '' ? '' : Number(value))}
  />
);
