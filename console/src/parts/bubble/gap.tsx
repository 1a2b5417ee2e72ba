import { VisuallyHidden } from '@mantine/core';
import { useContext } from 'react';
import classes from './bubble.module.css';
import { KnownNames } from './known-names.ts';

/** A placeholder in a text, filled if its name is known; made-up, later and missing values are marked as such. */
export function Gap({ name }: { name: string }) {
  const names = useContext(KnownNames);
  const known = names?.find((one) => one.name === name);
  if (!known)
    return (
      <mark className={classes['gap']} title={names && 'No value: it will be empty.'}>
        {`{{${name}}}`}
        {names && <VisuallyHidden> (no value)</VisuallyHidden>}
      </mark>
    );
  if (known.value === undefined)
    return (
      <span className={classes['later']} title={known.from}>
        {name}
        <VisuallyHidden> (comes from an answer)</VisuallyHidden>
      </span>
    );
  return (
    <span className={known.sample ? classes['sample'] : undefined} title={`${name}: ${known.from}`}>
      {known.value}
    </span>
  );
}

/** What the marks mean. */
export const GapLegend = () => (
  <>
    <span className={classes['sample']}>Dotted</span>: sample value. <span className={classes['later']}>Dashed</span>:
    filled by an answer. <span className={classes['gap']}>Orange</span>: no value.
  </>
);
