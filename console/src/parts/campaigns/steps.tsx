import { VisuallyHidden } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import classes from './steps.module.css';

interface StepsProps {
  label: string;
  names: readonly string[];
  at: number;
  /** Lets people go back, and to steps they have seen. */
  onGo?(step: number): void;
  /** The farthest step that may be gone to. */
  reached?: number;
  /** Steps that hold an error. */
  wrong?: readonly number[];
}

/** Where one is in a thing that is done step by step. */
export function Steps({ label, names, at, onGo, reached = at, wrong = [] }: StepsProps) {
  return (
    <ol className={classes['steps']} aria-label={label}>
      {names.map((name, index) => {
        const isWrong = wrong.includes(index);
        const state = isWrong ? 'wrong' : index === at ? 'now' : index < at ? 'done' : 'later';
        const inside = (
          <>
            <span className={classes['mark']} aria-hidden>
              {isWrong ? <IconAlertTriangle size={14} /> : index < at ? <IconCheck size={14} /> : index + 1}
            </span>
            <span className={classes['name']}>
              {name}
              {isWrong && <VisuallyHidden> (has an error)</VisuallyHidden>}
              {state === 'done' && <VisuallyHidden> (done)</VisuallyHidden>}
            </span>
          </>
        );
        return (
          <li key={name}>
            {onGo && index !== at && index <= reached ? (
              <button type="button" className={classes['step']} data-state={state} onClick={() => onGo(index)}>
                {inside}
              </button>
            ) : (
              <span className={classes['step']} data-state={state} {...(index === at && { 'aria-current': 'step' })}>
                {inside}
              </span>
            )}
          </li>
        );
      })}
    </ol>
  );
}
