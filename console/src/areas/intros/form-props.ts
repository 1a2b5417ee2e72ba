import type { UseFormReturnType } from '@mantine/form';
import type { IntroForm } from './form.ts';

/** What every section of the editor takes. */
export interface FormProps {
  form: UseFormReturnType<IntroForm>;
}
