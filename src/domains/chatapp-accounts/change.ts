import type { Deps } from '../../deps.ts';
import { ApiError, notFound, ValidationError } from '../../platform/errors.ts';
import {
  type ChatappAccountRow,
  deleteUnused,
  findChatappAccount,
  insertChatappAccount,
  updateSettings,
} from './queries.ts';
import { senderMemory } from './resolve.ts';
import type { ChatappAccountCreate, ChatappAccountUpdate } from './schemas.ts';

/** Registers a number, on the carrier that takes numbers without further proof. */
export async function createChatappAccount(
  { db, carriers, memories }: Deps,
  accountId: string,
  request: ChatappAccountCreate,
): Promise<ChatappAccountRow> {
  const carrier = carriers.all().find((candidate) => candidate.adoptsUnknown);
  if (!carrier) throw new ValidationError({ chatapp_number: ['No carrier takes this number.'] });
  const row = await insertChatappAccount(db, accountId, carrier.name, request);
  if (!row) throw new ValidationError({ chatapp_number: ['A chat-app account with this number exists already.'] });
  memories.forget(senderMemory);
  return row;
}

export async function updateChatappAccount(
  { db, memories }: Deps,
  accountId: string,
  uuid: string,
  change: ChatappAccountUpdate & { paused?: boolean },
): Promise<ChatappAccountRow> {
  const row = await updateSettings(db, accountId, uuid, change);
  if (!row) throw notFound();
  memories.forget(senderMemory);
  return row;
}

export async function deleteChatappAccount({ db, memories }: Deps, accountId: string, uuid: string): Promise<void> {
  if (!(await findChatappAccount(db, accountId, uuid))) throw notFound();
  if (!(await deleteUnused(db, accountId, uuid))) throw new ApiError('chatapp_account_in_use');
  memories.forget(senderMemory);
}
