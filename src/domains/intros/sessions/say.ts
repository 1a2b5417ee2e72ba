import type { Deps } from '../../../deps.ts';
import { ValidationError } from '../../../platform/errors.ts';
import { sentenceOf } from '../../../platform/work/first-error.ts';
import { sendMessages } from '../../messages/index.ts';
import type { Filled, Problem } from '../compose/checked.ts';
import type { SessionRow } from './queries.ts';

/** Something to be said on behalf of a session, or the reason why it cannot be. */
export interface Saying {
  session: SessionRow;
  role: 'reply' | 'notify' | 'aparty_notify';
  to: string;
  composed: Filled | Problem;
}

/** What became of it: the message that was accepted, or why there is none. */
export type Said = Saying & ({ message: string } | { problem: string });

/** Sends what is to be said, in the caller's transaction; what is refused is not sent, and says why. */
export async function sayAll(deps: Deps, accountId: string, sayings: Saying[]): Promise<Said[]> {
  const sayable = sayings.filter(({ composed }) => 'content' in composed);
  const results = await sendMessages(
    deps,
    sayable.map(({ session, to, composed }) => ({
      accountId,
      chatIntro: session.chat_intro,
      request: {
        ...(composed as Filled).content,
        chatapp_number: session.intro.chatapp_number,
        to_chatapp_number: to,
      },
    })),
  );
  const resultOf = new Map(sayable.map((saying, index) => [saying, results[index]!]));
  return sayings.map((saying): Said => {
    const result = resultOf.get(saying);
    if (!result) return { ...saying, problem: (saying.composed as Problem).problem };
    if (result.status === 'fulfilled') return { ...saying, message: result.value.uuid };
    return { ...saying, problem: reasonOf(result.reason) };
  });
}

/** Errors of the message itself become words of the log; anything else is a fault of ours and must be heard of. */
function reasonOf(error: unknown): string {
  if (error instanceof ValidationError) return sentenceOf(error.errors);
  if (error instanceof Error && error.name === 'ApiError') return error.message;
  throw error;
}
