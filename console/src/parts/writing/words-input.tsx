import { Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useContext } from 'react';
import { KnownNames } from '../bubble/index.ts';
import { PlaceholderInput } from './placeholder-input.tsx';

interface WordsInputProps {
  label: string;
  /** A line that does not take line breaks. */
  line?: boolean;
  required?: boolean;
  disabled?: boolean;
  maxLength?: number;
  minRows?: number;
  placeholder?: string;
  description?: ReactNode;
}

/** Words of a message: with placeholders where names for them are known, else as they are. */
export function WordsInput({ line = false, minRows = 2, ...props }: WordsInputProps) {
  const isFilled = useContext(KnownNames) !== undefined;
  if (isFilled) return <PlaceholderInput line={line} {...(!line && { minRows })} {...props} />;
  return line ? <TextInput {...props} /> : <Textarea autosize minRows={minRows} {...props} />;
}
