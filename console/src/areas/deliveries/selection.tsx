import { Checkbox } from '@mantine/core';
import { createContext, useContext } from 'react';

export interface Selection {
  chosen: ReadonlySet<string>;
  toggle(uuid: string): void;
}

/** Which rows are chosen. A context, as the cells of a table are not drawn again for anything else. */
export const SelectionContext = createContext<Selection>({ chosen: new Set(), toggle: () => undefined });

/** The box in front of a delivery. */
export function SelectBox({ uuid, name }: { uuid: string; name: string }) {
  const { chosen, toggle } = useContext(SelectionContext);
  return <Checkbox aria-label={`Select ${name}`} checked={chosen.has(uuid)} onChange={() => toggle(uuid)} />;
}
