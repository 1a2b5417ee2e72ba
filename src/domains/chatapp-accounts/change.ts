import type { CarrierWith } from '../../carriers/ports/carriers.ts';
import type { Deps } from '../../deps.ts';
import { ApiError, type FieldErrors, notFound, ValidationError } from '../../platform/errors.ts';
import { openSecrets } from '../../platform/secrets.ts';
import { within } from '../../platform/within.ts';
import { phoneReader } from '../accounts/index.ts';
import {
  type ChatappAccountRow,
  deleteChatappAccountRow,
  insertChatappAccount,
  lockChatappAccount,
  updateSettings,
} from './queries.ts';
import { senderCache } from './resolve.ts';
import { type ChatappAccountCreate, type ChatappAccountUpdate, idNames, secretNames } from './schemas.ts';
import { carrierCache } from './sender.ts';

/** Registers a number, by default on the carrier that takes numbers without further proof. */
export async function createChatappAccount(
  deps: Deps,
  accountId: string,
  request: ChatappAccountCreate,
): Promise<ChatappAccountRow> {
  const carrier = deps.carriers
    .all('chat')
    .find(({ name, adoptsUnknown }) => (request.carrier ? name === request.carrier : adoptsUnknown));
  if (!carrier) throw new ValidationError({ carrier: ['This carrier is not in use here.'] });
  checkSettings(carrier, request, { isNew: true });
  const read = await phoneReader(deps, accountId);
  const row = await insertChatappAccount(deps.db, accountId, {
    ...withoutSecrets(request),
    digits: read(request.chatapp_number),
    carrier: carrier.name,
    secrets: seal(deps, {}, request),
  });
  if (!row) throw new ValidationError({ chatapp_number: ['A chat-app account with this number exists already.'] });
  forget(deps);
  return row;
}

export async function updateChatappAccount(
  deps: Deps,
  accountId: string,
  uuid: string,
  change: ChatappAccountUpdate & { paused?: boolean },
): Promise<ChatappAccountRow> {
  const row = await within(deps, async (deps) => {
    const { db } = deps;
    const before = await lockChatappAccount(db, accountId, uuid);
    if (!before) throw notFound();
    const carrier = deps.carriers.get(before.carrier, 'chat');
    checkSettings(carrier, change, { isNew: false });
    const secrets = secretsAfter(deps, carrier, before.secrets, change);
    return updateSettings(db, accountId, uuid, { ...withoutSecrets(change), secrets });
  });
  forget(deps);
  return row;
}

export async function deleteChatappAccount(deps: Deps, accountId: string, uuid: string): Promise<void> {
  await within(deps, async ({ db, uses }) => {
    if (!(await lockChatappAccount(db, accountId, uuid))) throw notFound();
    if (await uses.sender(db, accountId, uuid)) throw new ApiError('chatapp_account_in_use');
    await deleteChatappAccountRow(db, accountId, uuid);
  });
  forget(deps);
}

/** A carrier gets the ids and secrets it asks for, all of them, and no others. */
function checkSettings(
  { name, chat: { senderSettings } }: CarrierWith<'chat'>,
  given: ChatappAccountUpdate,
  { isNew }: { isNew: boolean },
) {
  const errors: FieldErrors = {};
  const asked: readonly string[] = [...senderSettings.ids, ...senderSettings.secrets];
  for (const field of [...idNames, ...secretNames]) {
    if (given[field] !== undefined && !asked.includes(field)) errors[field] = [`The carrier ${name} does not use it.`];
    if (isNew && given[field] === undefined && asked.includes(field)) errors[field] = ['This field is required.'];
  }
  if (Object.keys(errors).length > 0) throw new ValidationError(errors);
}

/** Those that a change does not name stay as they are. Where they cannot be read, they are set anew together. */
function secretsAfter(
  deps: Deps,
  { chat: { senderSettings } }: CarrierWith<'chat'>,
  before: string | null,
  change: ChatappAccountUpdate,
): string | null {
  if (secretNames.every((name) => change[name] === undefined)) return before;
  const { values, isReadable } = openSecrets(deps.vault, before);
  const missing = senderSettings.secrets.filter((name) => change[name as SecretName] === undefined);
  if (!isReadable && missing.length > 0) {
    const sentence = 'This field is required: the stored one cannot be decrypted with this SECRET_KEY.';
    throw new ValidationError(Object.fromEntries(missing.map((name) => [name, [sentence]])));
  }
  return seal(deps, values, change);
}

type SecretName = (typeof secretNames)[number];

/** The secrets as they are stored; null: there are none. */
function seal({ vault }: Deps, known: Record<string, string>, given: ChatappAccountUpdate): string | null {
  const secrets = { ...known };
  for (const name of secretNames) if (given[name] !== undefined) secrets[name] = given[name];
  return Object.keys(secrets).length === 0 ? null : vault.seal(JSON.stringify(secrets));
}

function withoutSecrets<T extends ChatappAccountUpdate>(request: T): Omit<T, (typeof secretNames)[number]> {
  const { access_token, app_secret, verify_token, ...others } = request;
  return others;
}

function forget({ caches }: Deps): void {
  caches.forget(senderCache);
  caches.forget(carrierCache);
}
