import type { Schema } from '../../api/index.ts';

const figure = new Intl.NumberFormat('en');

interface Audience {
  /** At most so many people. */
  most: number;
  /** Nobody can be on two of the lists, and nobody is left out. */
  exact: boolean;
}

/** How many a campaign goes to. Who is on two lists gets it once, so several lists give an upper bound. */
export function audienceOf(
  all: readonly Schema<'ContactList'>[],
  lists: readonly string[],
  excluded: readonly string[],
): Audience {
  const chosen = all.filter(({ uuid }) => lists.includes(uuid));
  const left = all.filter(({ uuid, contact_count }) => excluded.includes(uuid) && contact_count > 0);
  return {
    most: chosen.reduce((sum, { contact_count }) => sum + contact_count, 0),
    exact: chosen.length <= 1 && left.length === 0,
  };
}

export const sayAudience = ({ most, exact }: Audience): string =>
  `${exact ? '' : 'at most '}${figure.format(most)} ${most === 1 ? 'person' : 'people'}`;
