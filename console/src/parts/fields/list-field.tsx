import { TagsInput, type TagsInputProps } from '@mantine/core';
import type { ReactNode } from 'react';

/** The part of a form that this needs, whatever the form holds. */
interface FieldSource {
  getInputProps(path: never): { value?: unknown; error?: ReactNode };
}

interface ListFieldProps extends Omit<TagsInputProps, 'form'> {
  form: FieldSource & object;
  path: string;
}

/** A list of short texts. What the API says about one of them stands at the field, with which one it is. */
export function ListField({ form, path, ...props }: ListFieldProps) {
  const read = (at: string) => form.getInputProps(at as never);
  const own = read(path);
  const items = Array.isArray(own.value) ? own.value.map(String) : [];
  // Each is asked for, so that the form knows that its error has a place.
  const errors = items.flatMap((item, index) => {
    const { error } = read(`${path}.${index}`);
    return error ? [`${item}: ${String(error)}`] : [];
  });
  return <TagsInput {...own} {...props} value={items} error={own.error ?? (errors.join(' ') || undefined)} />;
}
