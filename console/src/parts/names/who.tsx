import { Anchor, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { FactRow } from '../facts/facts.tsx';
import { Phone } from '../facts/phone.tsx';
import { useName, useNamed } from './use-name.ts';

interface WhoProps {
  number: string | null | undefined;
  copy?: boolean;
  /** On a phone, in place of the number beneath a name: what has no column there. */
  below?: ReactNode;
}

/** Somebody in a cell of a table: the name of the contact and the number beneath it, or the number alone. */
export function Who({ number, copy = false, below }: WhoProps) {
  const name = useName(number);
  return (
    <div style={{ minWidth: 0 }}>
      {name ? (
        <Text size="sm" fw={500} component="div" truncate title={name}>
          {name}
        </Text>
      ) : (
        <Phone number={number} copy={copy} />
      )}
      {name && (
        <Text size="xs" c="dimmed" component="div" truncate {...(below !== undefined && { visibleFrom: 'sm' })}>
          <Phone number={number} copy={copy} />
        </Text>
      )}
      {below !== undefined && (
        <Text size="xs" c="dimmed" component="div" truncate hiddenFrom="sm">
          {below}
        </Text>
      )}
    </div>
  );
}

/** The contact with this number, as a row of `Facts`; nothing if there is none. */
export function useContactRow(number: string): FactRow {
  const named = useNamed(number);
  return (
    named !== null && [
      'Contact',
      <Anchor key="contact" component={Link} href={`/contacts/${named.contact}`} size="sm">
        {named.name}
      </Anchor>,
    ]
  );
}
