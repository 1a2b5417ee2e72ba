import { IconCopy } from '@tabler/icons-react';
import { useSyncExternalStore } from 'react';
import { loadCode } from '../loading/lazily.ts';
import { copyText } from './copy.tsx';
import classes from './phone.module.css';

type Format = (number: string) => string;

let format: Format | null = null;
const waiting = new Set<() => void>();
let asked = false;

/** The rules of all countries are 80 kB: they come when the first number is shown, and until then it stands as it is stored. */
function watch(changed: () => void): () => void {
  waiting.add(changed);
  if (!asked) {
    asked = true;
    loadCode(() => import('libphonenumber-js/min')).then(
      ({ parsePhoneNumberFromString }) => {
        format = (number) => parsePhoneNumberFromString(number)?.formatInternational() ?? number;
        for (const one of waiting) one();
      },
      () => {
        asked = false;
      },
    );
  }
  return () => void waiting.delete(changed);
}

/** A number as people read it (`+44 7700 900123`), in text; what is no number stays as it is. */
export function usePhoneFormat(): Format {
  const known = useSyncExternalStore(watch, () => format);
  return known ?? ((number) => number);
}

/** A phone number, with a button that copies it as the API writes it. A dash for none. */
export function Phone({ number, copy = true }: { number: string | null | undefined; copy?: boolean }) {
  const say = usePhoneFormat();
  if (!number) return <span>–</span>;
  return (
    <span className={classes['phone']}>
      {say(number)}
      {copy && (
        <button
          type="button"
          className={classes['copy']}
          title="Copy"
          aria-label={`Copy ${number}`}
          onClick={() => void copyText(number)}
        >
          <IconCopy size={15} aria-hidden />
        </button>
      )}
    </span>
  );
}
