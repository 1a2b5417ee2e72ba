import type { UseFormReturnType } from '@mantine/form';
import type { Draft } from './draft.ts';

/** What every part of the composer takes. */
export interface FormProps {
  form: UseFormReturnType<Draft>;
}
