import classes from './call.module.css';

const keys = [
  ['1', ''],
  ['2', 'ABC'],
  ['3', 'DEF'],
  ['4', 'GHI'],
  ['5', 'JKL'],
  ['6', 'MNO'],
  ['7', 'PQRS'],
  ['8', 'TUV'],
  ['9', 'WXYZ'],
  ['*', ''],
  ['0', '+'],
  ['#', ''],
] as const;

const names: Record<string, string> = { '*': 'star', '#': 'hash' };

/** The keys of a phone. */
export function Keypad({ onKey }: { onKey(key: string): void }) {
  return (
    <fieldset className={classes['keypad']} aria-label="Keypad">
      {keys.map(([key, letters]) => (
        <button type="button" key={key} className={classes['key']} aria-label={names[key]} onClick={() => onKey(key)}>
          <span>{key}</span>
          <small aria-hidden>{letters}</small>
        </button>
      ))}
    </fieldset>
  );
}
