import { Code, Group } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { Copy } from './copy.tsx';
import classes from './facts.module.css';

/** A name and its value; one without a value is left out. */
export type FactRow = readonly [name: string, value: ReactNode] | false | undefined;

const says = (row: FactRow): row is Exclude<FactRow, false | undefined> =>
  Boolean(row) && !['', false, null, undefined].includes((row as [string, never])[1]);

/** Names and values, side by side: `<Facts rows={[['Number', <Phone number={…} />], cause && ['Why', cause]]} />`. */
export const Facts = ({ rows }: { rows: readonly FactRow[] }) => (
  <dl className={classes['facts']}>
    {rows.filter(says).map(([name, value]) => (
      <Fragment key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </Fragment>
    ))}
  </dl>
);

/** An id that can be copied. */
export const Id = ({ id, what = 'the id' }: { id: string; what?: string }) => (
  <Group gap={4} wrap="nowrap">
    <Code style={{ overflowWrap: 'anywhere' }}>{id}</Code>
    <Copy value={id} what={what} />
  </Group>
);
