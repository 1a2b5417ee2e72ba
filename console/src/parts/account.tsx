import { createContext, type ReactNode, useContext } from 'react';
import { useOne } from '../api/hooks.ts';
import type { Session } from '../api/session.ts';

interface Here {
  session: Session;
  /** IANA name; that of the browser until the account is known. */
  timeZone: string;
  defaultCountry: string;
}

const Context = createContext<Here | null>(null);

export function AccountProvider({ session, children }: { session: Session; children: ReactNode }) {
  const { data } = useOne('/v2/account/');
  const here = {
    session,
    timeZone: data?.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    defaultCountry: data?.default_country ?? 'GB',
  };
  return <Context value={here}>{children}</Context>;
}

/** Who is signed in, and what the account's settings say about showing things. */
export function useHere(): Here {
  const here = useContext(Context);
  if (!here) throw new Error('Nobody is signed in.');
  return here;
}
