import { createContext, type ReactNode, useContext } from 'react';
import type { Session } from '../api/session.ts';

interface Here {
  session: Session;
  /** IANA name. */
  timeZone: string;
  /** In which moments are shown to this person: their own, else the account's. */
  shownZone: string;
  defaultCountry: string;
}

const Context = createContext<Here | null>(null);

export function AccountProvider({ session, children }: { session: Session; children: ReactNode }) {
  const { time_zone: timeZone, default_country: defaultCountry } = session.account;
  const here = { session, timeZone, shownZone: session.user?.time_zone ?? timeZone, defaultCountry };
  return <Context value={here}>{children}</Context>;
}

/** Who is signed in, and what the account's settings say about showing things. */
export function useHere(): Here {
  const here = useContext(Context);
  if (!here) throw new Error('Nobody is signed in.');
  return here;
}
