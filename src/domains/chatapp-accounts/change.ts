import type { CarrierWith } from '../../carriers/ports/carriers.ts';
import type { Deps } from '../../deps.ts';
import { notify } from '../../platform/db/connect/listener.ts';
import { ApiError, type FieldErrors, notFound, ValidationError } from '../../platform/errors.ts';
import { openSecrets } from '../../platform/secrets.ts';
import { within } from '../../platform/within.ts';
import { goLive, phoneReader, sandboxMode, sandboxOff } from '../accounts/index.ts';
import { appendEvents } from '../timeline/index.ts';
import {
  type ChatappAccountRow,
  deleteChatappAccountRow,
  insertChatappAccount,
  lockAdopted,
  lockChatappAccount,
  type Stored,
  updateSettings,
} from './queries.ts';
import { type ChatappAccountCreate, type ChatappAccountUpdate, idNames, secretNames } from './schemas.ts';
import { carrierCache, senderCache } from './senders.ts';

/** A chat-app account, and what whoever changed it should know. */
export interface Changed {
  row: ChatappAccountRow;
  warnings: string[];
}

export const defaults = { name: '', language_code: null, messages_per_second: 80 };

/**
 * Registers a number, by default on the carrier that takes numbers without further proof. One that was taken into use by its first
 * message stays itself, with its intros, templates and history.
 */
export const createChatappAccount = (deps: Deps, accountId: string, request: ChatappAccountCreate): Promise<Changed> =>
  changing(deps, async (deps) => {
    const { db } = deps;
    const carrier = await findCarrier(deps, accountId, request.carrier);
    checkSettings(carrier, request, { isNew: true });
    const read = await phoneReader(deps, accountId);
    const stored = {
      ...withoutSecrets(request),
      digits: read(request.chatapp_number),
      carrier: carrier.name,
      secrets: seal(deps, {}, request),
    };
    const row =
      (await insertChatappAccount(db, accountId, { ...defaults, ...stored })) ??
      (await register(deps, accountId, stored));
    if (!row) throw new ValidationError({ chatapp_number: ['A chat-app account with this number already exists.'] });
    return { row, warnings: await liveWarnings(deps, accountId, carrier) };
  });

/** Makes the account's own what was taken into use by its first message; undefined: somebody registered it before. */
async function register(
  deps: Deps,
  accountId: string,
  { digits, ...stored }: Stored,
): Promise<ChatappAccountRow | undefined> {
  const before = await lockAdopted(deps.db, accountId, digits);
  if (!before) return undefined;
  if (before.carrier !== stored.carrier) await leaveCarrier(deps, before, stored.carrier);
  return updateSettings(deps.db, accountId, before.uuid, { ...onNewCarrier, ...stored, adopted: false });
}

/** Notice of senders whose settings changed: what waits may be free to leave, or faster. The detail is account and sender. */
export const senderTopic = 'senders';

export const updateChatappAccount = (
  deps: Deps,
  accountId: string,
  uuid: string,
  change: ChatappAccountUpdate & { paused?: boolean },
): Promise<Changed> =>
  changing(deps, async (deps) => {
    const { db } = deps;
    await notify(db, senderTopic, `${accountId} ${uuid}`);
    const before = await lockChatappAccount(db, accountId, uuid);
    if (!before) throw notFound();
    const moves = change.carrier !== undefined && change.carrier !== before.carrier;
    const carrier = moves
      ? await findCarrier(deps, accountId, change.carrier)
      : deps.carriers.get(before.carrier, 'chat');
    checkSettings(carrier, change, { isNew: moves });
    if (!moves) {
      const secrets = secretsAfter(deps, carrier, before.secrets, change);
      const adopted = before.adopted && change.carrier === undefined;
      return {
        row: await updateSettings(db, accountId, uuid, { ...withoutSecrets(change), secrets, adopted }),
        warnings: [],
      };
    }
    await leaveCarrier(deps, before, carrier.name);
    const row = await updateSettings(db, accountId, uuid, {
      ...onNewCarrier,
      ...withoutSecrets(change),
      secrets: seal(deps, {}, change),
      adopted: false,
    });
    return { row, warnings: await liveWarnings(deps, accountId, carrier) };
  });

/** Nothing of what a carrier knew of a number is known of it elsewhere, and how fast it may send is counted anew. */
const onNewCarrier = {
  phone_number_id: null,
  business_account_id: null,
  app_id: null,
  quality: 'UNKNOWN',
  rate_tokens: 1,
  rate_at: 'now',
};

async function findCarrier(deps: Deps, accountId: string, wanted: string | undefined): Promise<CarrierWith<'chat'>> {
  const carrier = deps.carriers
    .all('chat')
    .find(({ name, adoptsUnknown }) => (wanted ? name === wanted : adoptsUnknown));
  if (!carrier) throw new ValidationError({ carrier: ['This carrier is not in use here.'] });
  if (carrier.adoptsUnknown && (await sandboxMode(deps, accountId)) === 'off') {
    throw new ValidationError({ carrier: [sandboxOff] });
  }
  return carrier;
}

/** What the carrier knew of a number goes with it: see `uses.ts`. */
async function leaveCarrier(deps: Deps, { account_id, uuid, carrier: from }: ChatappAccountRow, to: string) {
  await deps.uses.senderMoves(deps, account_id, uuid);
  const event = { accountId: account_id, subjectType: 'chatapp_account', subject: uuid } as const;
  await appendEvents(deps.db, [{ ...event, kind: 'chatapp_account.carrier_changed', data: { from, to } }]);
  deps.log.info({ accountId: account_id, chatappAccount: uuid, from, to }, 'A chat-app account changed its carrier');
}

async function liveWarnings(deps: Deps, accountId: string, { adoptsUnknown }: CarrierWith<'chat'>): Promise<string[]> {
  if (adoptsUnknown) return [];
  const { warnings, events } = await goLive(deps, accountId);
  await appendEvents(deps.db, events);
  return warnings;
}

async function changing<T>(deps: Deps, change: (deps: Deps) => Promise<T>): Promise<T> {
  const result = await within(deps, change);
  forget(deps);
  return result;
}

export const deleteChatappAccount = (deps: Deps, accountId: string, uuid: string): Promise<void> =>
  changing(deps, async ({ db, uses }) => {
    if (!(await lockChatappAccount(db, accountId, uuid))) throw notFound();
    if (await uses.sender(db, accountId, uuid)) throw new ApiError('chatapp_account_in_use');
    await deleteChatappAccountRow(db, accountId, uuid);
  });

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

/** Notes how good the platform finds a number now. */
export async function setQuality(deps: Deps, accountId: string, uuid: string, quality: string): Promise<void> {
  await updateSettings(deps.db, accountId, uuid, { quality });
}
