import { ActionIcon, Text, VisuallyHidden } from '@mantine/core';
import { IconDialpad, IconPhone, IconPhoneOff } from '@tabler/icons-react';
import { useLayoutEffect, useRef, useState } from 'react';
import { useList } from '../../../api/index.ts';
import { Picture } from '../bubble/picture.tsx';
import { useSandboxNow } from '../frame/clock.tsx';
import { sayDuration } from '../moments.ts';
import { usePhoneHere } from '../phone-context.ts';
import type { Leg } from '../types.ts';
import classes from './call.module.css';
import { Keypad } from './keypad.tsx';
import { useCallActs } from './use-legs.ts';

/** A call over everything else: it rings, or one talks. */
export function CallScreen({ leg }: { leg: Leg }) {
  const { nameOf, person } = usePhoneHere();
  const box = useRef<HTMLElement>(null);
  const name = nameOf(leg.other);
  const isIncoming = leg.direction === 'OUTBOUND' && leg.state === 'RINGING';
  useLayoutEffect(() => {
    // A phone that rings is heard; here it is at least said, without taking the focus from whoever is writing on the other one.
    if (box.current?.parentElement?.contains(document.activeElement)) box.current.focus();
  }, []);
  return (
    <section
      className={classes['screen']}
      ref={box}
      tabIndex={-1}
      aria-label={`${person.name || person.number}: ${isIncoming ? 'incoming call from' : 'call with'} ${name}`}
      data-ringing={leg.state === 'RINGING'}
    >
      <div className={classes['who']}>
        <span className={classes['picture']}>
          <Picture name={name} size={104} />
        </span>
        <Text component="h2" size="xl" fw={650} mt="lg">
          {name}
        </Text>
        {isIncoming && (
          <VisuallyHidden role="alert">{`The phone of ${person.name || person.number} rings: ${name}`}</VisuallyHidden>
        )}
        <Text role="status" className={classes['dim']}>
          {isIncoming ? 'Incoming call' : leg.state === 'RINGING' ? 'Calling' : 'In the call'}
        </Text>
        {leg.state === 'TALKING' && <Timer since={leg.answered} />}
        <Hearing leg={leg} />
      </div>
      {isIncoming ? <Ringing uuid={leg.uuid} /> : <Talking leg={leg} />}
    </section>
  );
}

function Timer({ since }: { since: string | null }) {
  const nowMs = useSandboxNow(500);
  return (
    <Text size="lg" role="timer">
      {sayDuration(since ? (nowMs - Date.parse(since)) / 1000 : 0)}
    </Text>
  );
}

/** Sounds are told by the uuid of their file; what was made for the moment has a name that says nothing. */
function useSoundNames(): (sound: string) => string {
  const files = useList('/v2/audio-files/', {}, { pageSize: 200 });
  return (sound) => {
    const bare = sound.replace(/\.(ulaw|wav|mp3|ogg)$/, '');
    const file = files.rows.find(({ uuid }) => uuid === bare);
    return file?.name ?? (/^[0-9a-f-]{30,}$/.test(bare) ? 'announcement' : bare);
  };
}

/** There is no sound: it is said what would be heard. */
function Hearing({ leg: { hearing, heard, direction, state } }: { leg: Leg }) {
  const soundOf = useSoundNames();
  if (direction === 'OUTBOUND' && state === 'RINGING') return null;
  const sayNow = (sound: string): string => {
    if (sound === 'ringing') return 'It rings at the other end';
    return sound === 'talk' ? 'Talking' : `Playing: ${soundOf(sound)}`;
  };
  const words = heard.map(({ sound, seconds }) => `${soundOf(sound)} ${sayDuration(seconds)}`);
  return (
    <div className={classes['hearing']}>
      <span aria-live="polite">{hearing ? sayNow(hearing.sound) : 'Silence'}</span>
      {words.length > 0 && <small>Heard: {words.join(', ')}</small>}
    </div>
  );
}

function Ringing({ uuid }: { uuid: string }) {
  const { answer, decline } = useCallActs();
  const busy = answer.isPending || decline.isPending;
  return (
    <div className={classes['choice']}>
      <Act label="Decline" color="red.8" busy={busy} onClick={() => decline.mutate({ params: { uuid } })} />
      <Act label="Answer" color="green.8" busy={busy} onClick={() => answer.mutate({ params: { uuid } })} />
    </div>
  );
}

function Talking({ leg: { uuid, state, pressed } }: { leg: Leg }) {
  const { hangUp, press } = useCallActs();
  const [open, setOpen] = useState(false);
  return (
    <div className={classes['talking']}>
      {open && state === 'TALKING' && (
        <>
          <Text ta="center" size="xl" className={classes['pressed']} aria-label={`Pressed: ${pressed || 'nothing'}`}>
            {pressed || ' '}
          </Text>
          <Keypad onKey={(keys) => press.mutate({ params: { uuid }, body: { keys } })} />
        </>
      )}
      <div className={classes['choice']}>
        {state === 'TALKING' && (
          <div className={classes['act']}>
            <ActionIcon
              size={64}
              radius="xl"
              variant="default"
              aria-label="Keypad"
              aria-expanded={open}
              onClick={() => setOpen(!open)}
            >
              <IconDialpad size={28} />
            </ActionIcon>
            <span aria-hidden>Keypad</span>
          </div>
        )}
        <Act
          label="Hang up"
          color="red.8"
          busy={hangUp.isPending}
          onClick={() => hangUp.mutate({ params: { uuid } })}
        />
      </div>
    </div>
  );
}

function Act({ label, color, busy, onClick }: { label: string; color: string; busy: boolean; onClick(): void }) {
  const Icon = label === 'Answer' ? IconPhone : IconPhoneOff;
  return (
    <div className={classes['act']}>
      <ActionIcon size={64} radius="xl" color={color} aria-label={label} loading={busy} onClick={onClick}>
        <Icon size={28} />
      </ActionIcon>
      <span aria-hidden>{label}</span>
    </div>
  );
}
