import { useForm } from '@mantine/form';
import { type FormEvent, useState } from 'react';
import { ApiProblem, sayProblem } from '../../api/index.ts';

interface SideForm<V, A> {
  initialValues: V;
  submit(values: V): Promise<A>;
  onDone(answer: A): void;
}

/**
 * A small form on a page that has a form already: it has nothing to lose, so leaving does not ask about it, and sending it does
 * not make the page forget what is unsaved in the other.
 */
export function useSideForm<V extends Record<string, unknown>, A>({ initialValues, submit, onDone }: SideForm<V, A>) {
  const form = useForm<V>({ initialValues });
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState('');
  const send = async (values: V) => {
    setPending(true);
    setProblem('');
    try {
      onDone(await submit(values));
    } catch (error) {
      const fields = error instanceof ApiProblem ? error.fields : {};
      form.setErrors({ ...fields });
      const homeless = Object.entries(fields).filter(([name]) => !(name in initialValues));
      if (Object.keys(fields).length === 0) setProblem(sayProblem(error));
      else setProblem(homeless.map(([, text]) => text).join(' '));
    } finally {
      setPending(false);
    }
  };
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    // A dialog is within the form around it, whatever the picture says.
    event.stopPropagation();
    form.onSubmit(send)(event);
  };
  return { form, onSubmit, pending, problem };
}
