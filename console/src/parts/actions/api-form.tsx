import { Alert, Button, Group, Stack } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { notifications } from '../../api/notifications.ts';
import { ApiProblem, sayProblem } from '../../api/problem.ts';
import { invalidate } from '../../api/refresh.ts';
import { useDraft } from '../editing/draft.tsx';
import { type Edited, NotSent, useEdited } from '../editing/edited.tsx';
import { useMaySend } from '../may.tsx';
import { useUnsaved } from './unsaved.ts';

export interface ApiFormProps<V extends object, A> {
  initialValues: V;
  /** Sends it: `(values) => call('post', '/v2/lists/', { body: values })`; with `edits`, `ifMatch` goes into the call. */
  submit(values: NoInfer<V>, ifMatch?: string): Promise<A>;
  /** The stored object that is changed, so that nobody's change is lost: see `editing`. */
  edits?: Edited<NoInfer<V>> | undefined;
  /** What is typed is kept in this browser under this name until it is saved; for long forms without secrets. */
  draft?: string | undefined;
  /** The fields. `form.getInputProps('reply_data.text')` gives a field its value and the API's error about it. */
  children(form: UseFormReturnType<V>): ReactNode;
  /** The verb on the button. Default `Save`. */
  button?: string;
  /** Paths to read anew afterwards. */
  invalidates?: string[];
  /** A notification afterwards. */
  done?: string;
  onDone?(answer: A, values: NoInfer<V>): void;
  onCancel?(): void;
  /** On a page that has another form: leaving does not ask about this one, and sending it does not send the other. */
  side?: boolean;
  /** What is needed to send it, where that is not what changing things on this page needs. */
  scope?: string;
  /** Checks before anything is sent, as Mantine's `validate`. Leave to the API what it says well. */
  validate?: Parameters<typeof useForm<V>>[0] extends infer O ? (O extends { validate?: infer F } ? F : never) : never;
  /** Called with the values as they change: for a live preview. */
  onValues?(values: NoInfer<V>): void;
}

/**
 * A form on the API: its errors stand at the fields they are about, whatever remains stands on top, and leaving with unsaved
 * changes asks first. Whoever may not send it reads it: its fields are disabled, and it has no button.
 */
export function ApiForm<V extends object, A>(props: ApiFormProps<V, A>) {
  const { initialValues, submit, children, button = 'Save', invalidates = [], done, onDone, onCancel, side } = props;
  const client = useQueryClient();
  const form = useForm<V>({
    initialValues,
    ...(props.validate && { validate: props.validate }),
    ...(props.onValues && { onValuesChange: props.onValues }),
  });
  const may = useMaySend(props.scope);
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const fields = useRef(new Set<string>());
  const element = useRef<HTMLFormElement>(null);
  const edited = useEdited(form, props.edits, initialValues);
  const draft = useDraft(props.draft, form, initialValues, edited);
  const forgetUnsaved = useUnsaved(!side && form.isDirty(), props.draft !== undefined);
  useEffect(() => {
    if (failure && !pending)
      element.current?.querySelector<HTMLElement>('[role="alert"], [aria-invalid="true"]')?.focus();
  }, [failure, pending]);

  const send = async (values: V): Promise<void> => {
    setPending(true);
    setFailure(null);
    try {
      const answer = await edited.save(values, submit);
      form.resetDirty(values);
      forgetUnsaved();
      draft.forget();
      if (done) notifications.show({ message: done });
      void invalidate(client, invalidates);
      onDone?.(answer, values);
    } catch (error) {
      if (error instanceof NotSent) return;
      if (!(error instanceof ApiProblem)) console.error(error);
      setFailure(error);
      if (error instanceof ApiProblem) form.setErrors({ ...error.fields });
    } finally {
      setPending(false);
    }
  };

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    // A dialog is within the form around it, whatever the picture says.
    if (side) event.stopPropagation();
    form.onSubmit(send)(event);
  };

  // The form learns which fields it has, and so which errors have no place of their own.
  const watched: UseFormReturnType<V> = {
    ...form,
    getInputProps: ((path: string, options?: object) => {
      fields.current.add(path);
      return form.getInputProps(path as never, options as never);
    }) as typeof form.getInputProps,
  };
  return (
    <form ref={element} onSubmit={onSubmit} noValidate>
      <Stack>
        {draft.note}
        {edited.note}
        <Homeless error={failure} fields={fields.current} />
        {may ? children(watched) : <Disabled>{children(watched)}</Disabled>}
        {may && (
          <Group justify="flex-end">
            {onCancel && (
              <Button variant="default" onClick={onCancel}>
                Cancel
              </Button>
            )}
            <Button type="submit" loading={pending}>
              {button}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}

const Disabled = ({ children }: { children: ReactNode }) => (
  <fieldset disabled style={{ border: 0, margin: 0, padding: 0, minWidth: 0 }}>
    <Stack>{children}</Stack>
  </fieldset>
);

/** What the API said that no field can show. */
function Homeless({ error, fields }: { error: unknown; fields: ReadonlySet<string> }) {
  if (!error) return null;
  const all = error instanceof ApiProblem ? Object.entries(error.fields) : [];
  const lines = all.filter(([name]) => !fields.has(name));
  if (all.length > 0 && lines.length === 0) return null;
  const said =
    all.length === 0 ? [sayProblem(error)] : lines.map(([name, text]) => (isWhole(name) ? text : `${name}: ${text}`));
  return (
    <Alert color="red" role="alert" tabIndex={-1}>
      {said.map((line) => (
        <div key={line}>{line}</div>
      ))}
    </Alert>
  );
}

const isWhole = (name: string): boolean => name.split('.').at(-1) === 'non_field_errors';
