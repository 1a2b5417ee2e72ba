import type { UseFormReturnType } from '@mantine/form';
import type { IntroForm } from '../../../parts/intros/form.ts';

/** What every section of the editor takes. */
export interface FormProps {
  form: UseFormReturnType<IntroForm>;
}

/** What the fields of an interactive reply are told of the intro. */
export const linked = ({ values }: FormProps['form']) => ({
  sender: values.chatapp_number,
  linkHint: "{{intro_chat_link_aparty}} leads to the agent's chat, if direct connect is set below.",
});
