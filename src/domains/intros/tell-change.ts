import type { Deps } from '../../deps.ts';
import { appendEvents } from '../timeline/index.ts';
import { announce } from '../webhooks/index.ts';
import type { IntroRow } from './queries.ts';

/** Notes that an intro was created, updated or deleted, in the caller's transaction, and tells whoever listens. */
export async function tellChange(
  deps: Deps,
  accountId: string,
  { uuid, chatapp_number, reference_id, meta_data }: IntroRow,
  kind: 'created' | 'updated' | 'deleted',
  data: Record<string, unknown> = {},
): Promise<void> {
  const type = `chat_intro.${kind}` as const;
  const noted = kind === 'created' ? { reference_id, ...data } : data;
  await appendEvents(deps.db, [{ accountId, subjectType: 'chat_intro', subject: uuid, kind: type, data: noted }]);
  await announce(deps.db, deps, [
    { accountId, type, data: { chat_intro: uuid, chatapp_number, reference_id, meta_data, ...data } },
  ]);
}
