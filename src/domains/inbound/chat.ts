import type { InboundEvent } from '../../carriers/ports/inbox.ts';
import type { Deps } from '../../deps.ts';
import { phoneDigits } from '../../platform/phone.ts';
import { noticeInbound } from '../insights/index.ts';
import { introduce, type Meant } from '../intros/index.ts';
import type { Received } from '../messages/index.ts';
import type { Said } from '../optouts/index.ts';
import { heedChat } from './keywords.ts';
import { routeLater } from './route/route.ts';

/** What people send that nobody answers, and that is not sent on. */
const silent: ReadonlySet<string> = new Set(['REACTION', 'SYSTEM', 'UNSUPPORTED']);

/**
 * Hands messages on to those who may want them: first what is about hearing from us, then intros, then routing. `meant` says
 * which intros and sessions they are meant for.
 */
export async function handOn(
  deps: Deps,
  accountId: string,
  said: Said,
  received: Received[],
  events: InboundEvent[],
  meant: Meant,
): Promise<void> {
  const others = await heedChat(deps, accountId, said, received, events, meant);
  await noticeInbound(deps, accountId, 'CHATAPP', others.map(heardOf));
  const forOthers = await introduce(deps, accountId, others, meant);
  await routeLater(
    deps,
    accountId,
    'CHATAPP',
    forOthers.filter(({ row }) => !silent.has(row.type)).map(({ row }) => row.uuid),
  );
}

const heardOf = ({ row, sender }: Received) => ({
  uuid: row.uuid,
  number: row.chatapp_number,
  person: row.from_chatapp_number,
  numberDigits: sender.digits,
  personDigits: phoneDigits(row.from_chatapp_number),
  text: textOf(row.message_data as object),
  at: row.created,
  wantsAnswer: !silent.has(row.type),
});

const textOf = ({ text, media }: { text?: { body?: string }; media?: { caption?: string } }): string =>
  text?.body ?? media?.caption ?? '';
