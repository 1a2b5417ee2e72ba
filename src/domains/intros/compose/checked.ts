import type { Filler } from '../../../platform/text/fill.ts';
import { sentenceOf } from '../../../platform/work/first-error.ts';
import { messageErrors, type sendMessages } from '../../messages/index.ts';

type MessageCreate = Parameters<typeof sendMessages>[1][number]['request'];
type WithoutNumbers<M> = M extends unknown ? Omit<M, 'chatapp_number' | 'to_chatapp_number'> : never;

/** A message but for who sends it to whom. */
export type Content = WithoutNumbers<Extract<MessageCreate, { type: 'TEXT' | 'IMAGE' | 'INTERACTIVE' | 'TEMPLATE' }>>;

/** Why a message could not be made, in one sentence. */
export interface Problem {
  problem: string;
  /** Nobody misses the message: there is no failure to speak of. */
  needless?: true;
}

export interface Filled {
  content: Content;
  /** Placeholders that had no value. */
  missing: string[];
}

/** Any numbers: the content is what is looked at. */
const numbers = { chatapp_number: '15550000001', to_chatapp_number: '15550000002' };

/** The content if the platform would take it. `said` names it in the sentence when it would not. */
export function checked(content: object, filler: Filler, said: string): Filled | Problem {
  if (filler.isTooLong()) return { problem: `${said}With its placeholders filled in, the text is too long.` };
  const errors = messageErrors({ ...numbers, ...content });
  if (!errors) return { content: content as Content, missing: filler.missing() };
  return { problem: said + sentenceOf(errors) };
}
