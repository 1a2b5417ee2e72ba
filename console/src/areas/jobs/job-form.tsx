import { TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { type Body, call, type Schema } from '../../api/index.ts';
import { ApiForm } from '../../parts/index.ts';

export interface JobValues<I extends object> {
  input: I;
  callback_url: string;
}

interface JobFormProps<I extends object> {
  type: Schema<'Job'>['type'];
  initial: I;
  /** What the API takes of the fields. */
  inputOf(input: NoInfer<I>): object;
  button: string;
  children(form: UseFormReturnType<JobValues<I>>): ReactNode;
}

/** The fields of a job, and whom to tell when it has ended. Goes to the job's page. */
export function JobForm<I extends object>({ type, initial, inputOf, button, children }: JobFormProps<I>) {
  const [, navigate] = useLocation();
  const submit = ({ input, callback_url }: JobValues<I>) => {
    const body = { type, input: inputOf(input), ...(callback_url && { callback_url }) };
    // The types of jobs are a union, of which the caller has chosen one.
    return call('post', '/v3/jobs/', { body: body as unknown as Body<'/v3/jobs/', 'post'> });
  };
  return (
    <ApiForm
      initialValues={{ input: initial, callback_url: '' } as JobValues<I>}
      submit={submit}
      button={button}
      invalidates={['/v3/jobs/']}
      onDone={(job) => navigate(`/jobs/${job.id}`)}
      onCancel={() => navigate('/jobs')}
    >
      {(form) => (
        <>
          {children(form)}
          <TextInput
            label="Callback URL"
            description="URL that receives a signed event when the job ends. Optional."
            placeholder="https://…"
            type="url"
            {...form.getInputProps('callback_url')}
          />
        </>
      )}
    </ApiForm>
  );
}

/** Without what was left empty. */
export const filled = (input: object): object =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== '' && value !== null));

/** Numbers as people paste them. */
export const linesOf = (text: string): string[] =>
  text
    .split(/[\n,;]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
