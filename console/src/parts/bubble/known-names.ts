import { createContext, useContext } from 'react';

export interface KnownName {
  name: string;
  /** Where its value comes from. */
  from: string;
  /** What a preview shows for it; undefined: it comes later, from an answer. */
  value: string | undefined;
  /** Whether the value is made up for the preview. */
  sample?: boolean;
}

/** The names that placeholders may have here; where nobody gives them, gaps stay as they are written. */
export const KnownNames = createContext<KnownName[] | undefined>(undefined);
export const useKnownNames = (): KnownName[] => useContext(KnownNames) ?? [];
