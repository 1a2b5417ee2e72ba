import type { GetInputPropsReturnType } from '@mantine/form';
import type { InteractiveForm } from './interactive-form.ts';

/** A form that has a message, or more than one, somewhere in its values. */
export interface WritingForm {
  getInputProps(path: string): GetInputPropsReturnType;
  setFieldValue(path: string, value: never): void;
  insertListItem(path: string, item: unknown): void;
  removeListItem(path: string, index: number): void;
}

export interface InteractiveProps {
  form: WritingForm;
  /** Where in the form the interactive object is. */
  at: string;
  value: InteractiveForm;
  /** What the API wants must be filled in; else the whole may stay empty. */
  required?: boolean;
}
