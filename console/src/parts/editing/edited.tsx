import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { etagOf } from '../../api/etags.ts';
import { type Answer, ApiProblem, call, type Params, type PathsWith } from '../../api/index.ts';
import { askAboutConflict } from './conflict.tsx';
import { type Difference, differences, isSame, merged, sayValue } from './differences.ts';

/** The stored object that a form changes. */
export interface Edited<V> {
  object: object;
  read(): Promise<object>;
  /** What the form holds of it. */
  valuesOf(object: object): V;
}

/** `edits={editing(contact, '/v2/contacts/{uuid}/', { uuid }, valuesOf)}`; undefined for something new. */
export function editing<P extends PathsWith<'get'>, V>(
  object: NoInfer<Answer<P, 'get'>> | undefined,
  path: P,
  params: Params<P> | undefined,
  valuesOf: (object: NoInfer<Answer<P, 'get'>>) => V,
): Edited<V> | undefined {
  if (!object) return undefined;
  return {
    object: object as object,
    read: () => call('get', path, { params } as never) as Promise<unknown> as Promise<object>,
    valuesOf: (one) => valuesOf(one as unknown as Answer<P, 'get'>),
  };
}

/** Says that the form goes on with what was loaded, so nothing was sent. */
export class NotSent extends Error {
  override name = 'NotSent';
}

/** Never the version of anything. */
const stale = '"changed-meanwhile"';

export interface Editing<V> {
  /** Sends it with the version that it is based on. Fails with `NotSent` when the person chose to look at it again. */
  save<A>(values: V, submit: (values: V, ifMatch?: string) => Promise<A>): Promise<A>;
  /** A draft that was restored is based on what it was begun with. */
  goOnFrom(base: V, version: string | undefined): void;
  base(): { values: V; version: string | undefined };
  /** What was loaded last, without what was typed. */
  startOver(initial: V): void;
  /** What they changed, after it was chosen to be reviewed. */
  note: ReactNode;
}

/**
 * Keeps two people from undoing each other's changes: what the form was filled with has a version, which goes with what it sends. If the
 * object has another one by then, the person decides. As long as nothing was typed, the form shows what others save.
 */
export function useEdited<V extends object>(
  form: UseFormReturnType<V>,
  edits: Edited<V> | undefined,
  initial: V,
): Editing<V> {
  const base = useRef(initial);
  const version = useRef(edits && etagOf(edits.object));
  const [review, setReview] = useState<Difference[]>([]);
  const object = edits?.object;

  const take = (next: object, values: V) => {
    base.current = values;
    version.current = etagOf(next);
    form.setInitialValues(values);
    form.resetDirty(values);
  };

  // What comes from a list has no version: it is asked for, and taken if it is what the form shows.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each object
  useEffect(() => {
    if (!edits || version.current !== undefined) return;
    let isOver = false;
    edits.read().then(
      (read) => {
        if (isOver || version.current !== undefined) return;
        version.current = isSame(edits.valuesOf(read), base.current) ? etagOf(read) : stale;
      },
      // Then it is saved as it is, or the server says why not.
      () => {},
    );
    return () => {
      isOver = true;
    };
  }, []);

  const first = useRef(object);
  // biome-ignore lint/correctness/useExhaustiveDependencies: when another version was loaded
  useEffect(() => {
    if (!edits || object === first.current) return;
    first.current = object;
    const values = edits.valuesOf(edits.object);
    if (form.isDirty() || etagOf(edits.object) === undefined) return;
    take(edits.object, values);
    form.setValues(values);
  }, [object]);

  const save = async <A,>(values: V, submit: (values: V, ifMatch?: string) => Promise<A>): Promise<A> => {
    try {
      const answer = await submit(values, version.current);
      if (edits && answer && typeof answer === 'object') {
        base.current = values;
        version.current = etagOf(answer);
      }
      setReview([]);
      return answer;
    } catch (error) {
      if (!edits || !(error instanceof ApiProblem) || error.code !== 'precondition_failed') throw error;
      const theirs = await edits.read();
      const theirValues = edits.valuesOf(theirs);
      const found = differences(base.current, theirValues, values);
      const choice = await askAboutConflict(found);
      if (choice === 'cancel') throw new NotSent();
      if (choice === 'review') {
        const next = merged(base.current, theirValues, values);
        take(theirs, theirValues);
        form.setValues(next);
        setReview(found);
        throw new NotSent();
      }
      version.current = etagOf(theirs);
      return save(values, submit);
    }
  };

  return {
    save,
    goOnFrom(values, from) {
      base.current = values;
      version.current = from;
    },
    base: () => ({ values: base.current, version: version.current }),
    startOver(initial) {
      const values = edits ? edits.valuesOf(edits.object) : initial;
      base.current = values;
      version.current = edits && etagOf(edits.object);
      form.setInitialValues(values);
      form.resetDirty(values);
      form.setValues(values);
      setReview([]);
    },
    note: review.length > 0 && <ReviewNote form={form} review={review} onDone={() => setReview([])} />,
  };
}

interface ReviewNoteProps<V> {
  form: UseFormReturnType<V>;
  review: readonly Difference[];
  onDone(): void;
}

/** Their version stands in the form, with your changes on it. */
function ReviewNote<V>({ form, review, onDone }: ReviewNoteProps<V>) {
  return (
    <Alert color="blue" title="Their version, with your changes" withCloseButton onClose={onDone}>
      <Stack gap="xs">
        <Text size="sm">Look it over, then save it.</Text>
        {review.map(({ name, label, theirs, both }) => (
          <Group key={name} gap="xs" wrap="nowrap" justify="space-between">
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              <b>{label}</b>: they wrote “{sayValue(theirs)}”{both ? '; yours is in the form' : ', as it is now'}.
            </Text>
            {both && (
              <Button
                size="compact-xs"
                variant="default"
                onClick={() => form.setFieldValue(name as never, theirs as never)}
              >
                Use theirs
              </Button>
            )}
          </Group>
        ))}
      </Stack>
    </Alert>
  );
}
