import { createContext, useContext } from 'react';
import type { KnownName } from './variables.ts';

/** The names that placeholders may have, for all the fields of the editor. */
export const KnownNames = createContext<KnownName[]>([]);
export const useKnownNames = (): KnownName[] => useContext(KnownNames);
