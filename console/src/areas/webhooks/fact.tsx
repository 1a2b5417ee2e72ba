import type { ReactNode } from 'react';
import classes from './fact.module.css';

/** Names and values, side by side: `<Facts><Fact label="Address">…</Fact></Facts>`. */
export const Facts = ({ children }: { children: ReactNode }) => <dl className={classes['facts']}>{children}</dl>;

export const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </>
);
