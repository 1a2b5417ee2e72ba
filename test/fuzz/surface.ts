import type { Random } from './random.ts';

/** One side of the product that strangers can reach, and what is thrown at it. */
export interface Surface {
  name: string;
  /** Cases under way at once. */
  concurrency: number;
  /** Throws one case at it. Answers what is wrong with what came back, if anything is. */
  attack(random: Random): Promise<string | undefined>;
  close?(): void;
}

/** Nothing that is sent to the product may be answered by a fault of the product. 503 asks to come again later, and 501 and 505 are about HTTP. */
export const isFault = (status: number): boolean => status >= 500 && ![501, 503, 505].includes(status);
