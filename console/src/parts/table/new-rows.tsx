import { Button } from '@mantine/core';
import { IconArrowUp } from '@tabler/icons-react';
import { sayFigure } from '../words.ts';
import classes from './data-table.module.css';
import type { Still } from './use-still.ts';

/** On top of the rows while some wait: `12 new`. It lies over them, so that nothing moves for it. */
export function NewRows<R>({ still, scroller }: { still: Still<R>; scroller: HTMLElement | null }) {
  if (still.waiting === 0 && !still.moved) return null;
  const show = (): void => {
    still.show();
    scroller?.scrollTo({ top: 0 });
  };
  return (
    <div className={classes['new']} role="status">
      <Button size="compact-sm" radius="xl" leftSection={<IconArrowUp size={14} />} onClick={show}>
        {still.waiting > 0 ? `${sayFigure(still.waiting)} new` : 'New order'}
      </Button>
    </div>
  );
}
