import type { Schema } from '../../api/index.ts';

export type Conversation = Schema<'Conversation'>;
export type { Message } from '../../parts/messages/types.ts';

/** Who is talking to whom. */
export interface Pair {
  /** The business number. */
  sender: string;
  /** The number of the person, or their id. */
  person: string;
}
