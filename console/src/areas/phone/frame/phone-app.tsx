import { ActionIcon, SegmentedControl, TextInput } from '@mantine/core';
import { IconBackspace, IconPhone } from '@tabler/icons-react';
import { useState } from 'react';
import { useList } from '../../../api/index.ts';
import { usePhoneFormat } from '../../../parts/index.ts';
import classes from '../calls/call.module.css';
import { Keypad } from '../calls/keypad.tsx';
import { Recents } from '../calls/recents.tsx';
import { usePhoneHere } from '../phone-context.ts';
import type { Leg } from '../types.ts';
import screen from './screen.module.css';
import { ScreenHead } from './screen-head.tsx';

/** Where calls are made, and looked up. */
export function PhoneApp({ legs }: { legs: Leg[] }) {
  const [tab, setTab] = useState('keypad');
  return (
    <div className={screen['screen']}>
      <ScreenHead title="Phone">
        <SegmentedControl
          size="xs"
          radius="xl"
          aria-label="Part of the phone app"
          value={tab}
          onChange={setTab}
          data={[
            { value: 'keypad', label: 'Keypad' },
            { value: 'recents', label: 'Recents' },
          ]}
        />
      </ScreenHead>
      <div className={screen['scroll']}>{tab === 'keypad' ? <Dialler /> : <Recents legs={legs} />}</div>
    </div>
  );
}

const mostSuggested = 3;

function Dialler() {
  const { dial } = usePhoneHere();
  const [typed, setTyped] = useState('');
  const format = usePhoneFormat();
  const numbers = useList('/v2/number/', {}, { pageSize: 50 });
  const digits = typed.replaceAll(/[^\d+*#]/g, '');
  const fitting = numbers.rows.filter(({ number }) => number.includes(digits.replace(/^0/, '')) && number !== digits);
  return (
    <form
      className={classes['dialler']}
      onSubmit={(event) => {
        event.preventDefault();
        if (digits) dial(digits);
      }}
    >
      <TextInput
        aria-label="Number to call"
        type="tel"
        size="lg"
        variant="unstyled"
        placeholder="Number"
        classNames={{ input: classes['typed']! }}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <div className={classes['suggested']}>
        {fitting.slice(0, mostSuggested).map(({ number }) => (
          <button type="button" key={number} onClick={() => setTyped(number)}>
            {format(number)}
          </button>
        ))}
      </div>
      <Keypad onKey={(key) => setTyped((before) => (before === '' && key === '0' ? '+' : before + key))} />
      <div className={classes['acts']}>
        <span />
        <ActionIcon type="submit" size={64} radius="xl" color="green.8" aria-label="Call" disabled={digits === ''}>
          <IconPhone size={28} />
        </ActionIcon>
        <ActionIcon
          size={44}
          radius="xl"
          variant="subtle"
          color="gray"
          aria-label="Delete the last digit"
          onClick={() => setTyped(typed.slice(0, -1))}
        >
          <IconBackspace size={24} />
        </ActionIcon>
      </div>
    </form>
  );
}
