import type { Deps } from '../../deps.ts';
import { type Config, originOf } from '../../platform/config.ts';
import { type InboundFile, insertInbound } from './inbound-queries.ts';

/** Notes files that came with messages; they are fetched soon after the caller's transaction commits. */
export async function noteInbound({ db, queue }: Pick<Deps, 'db' | 'queue'>, files: InboundFile[]): Promise<void> {
  if (files.length === 0) return;
  const added = await insertInbound(db, files);
  if (added.length > 0) await queue.enqueue(db, 'media.fetch', added);
}

/** The address of the file of an inbound message, as the outside world reaches it. */
export const inboundMediaUrl = (config: Config, message: string): string =>
  `${originOf(config)}/v2/chatapp/messages/${message}/media/`;
