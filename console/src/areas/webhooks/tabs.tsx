import { Link } from 'wouter';
import type { Kind } from './kinds.ts';
import classes from './tabs.module.css';

/** The two lists, each with an address of its own. */
export const KindTabs = ({ kind }: { kind: Kind }) => (
  <nav aria-label="Kinds of webhooks" className={classes['tabs']}>
    <Link href="/webhooks" className={classes['tab']!} {...(kind === 'chat' && { 'aria-current': 'page' })}>
      Chat app and account
    </Link>
    <Link href="/webhooks/numbers" className={classes['tab']!} {...(kind === 'number' && { 'aria-current': 'page' })}>
      Numbers
    </Link>
  </nav>
);
