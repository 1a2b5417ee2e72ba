import type { UseFormReturnType } from '@mantine/form';
import type { TemplateEdit } from './form.ts';

/** What every part of the editor takes. */
export interface FormProps {
  form: UseFormReturnType<TemplateEdit>;
}
