import { useMediaQuery } from '@mantine/hooks';

/** Whether this is the screen of a phone. */
export const useNarrow = (): boolean =>
  useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false });
