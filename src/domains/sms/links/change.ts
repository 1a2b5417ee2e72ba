import { isIP } from 'node:net';
import { createSecureContext } from 'node:tls';
import type { Deps } from '../../../deps.ts';
import { type FieldErrors, notFound, ValidationError } from '../../../platform/errors.ts';
import { newCode } from '../../../platform/ids.ts';
import { refusalOf } from '../../../platform/outbound/guard.ts';
import { openSecrets } from '../../../platform/secrets.ts';
import { within } from '../../../platform/within.ts';
import { goLive, sandboxMode, sandboxOff } from '../../accounts/index.ts';
import { appendEvents } from '../../timeline/index.ts';
import { forgetLinks } from './links.ts';
import {
  deleteLinkRow,
  disableLinks,
  insertLink,
  type LinkFields,
  type LinkRow,
  lockLink,
  updateLink,
} from './queries.ts';
import { connectionDefaults, connectionNames, type SmsLinkCreate, type SmsLinkUpdate, secretNames } from './schemas.ts';

const subjectType = 'sms_link';
const trafficDefaults = { messages_per_second: 100, weight: 1, enabled: true };
const required = ['host', 'system_id', 'password'] as const;

/**
 * Makes a link. An account's first real link disables the link that was adopted to try things out, which would otherwise take a
 * share of the messages and bring them to nobody.
 */
export const createLink = (
  deps: Deps,
  accountId: string,
  request: SmsLinkCreate,
): Promise<{ row: LinkRow; warnings: string[] }> =>
  changing(deps, async (deps) => {
    const { carrier: name = 'smpp', ...given } = request;
    const carrier = deps.carriers.find(name, 'sms');
    if (!carrier) throw new ValidationError({ carrier: ['This carrier is not in use here.'] });
    const connects = !carrier.adoptsUnknown;
    if (!connects && (await sandboxMode(deps, accountId)) === 'off')
      throw new ValidationError({ carrier: [sandboxOff] });
    check(deps, given, { connects, isNew: true });
    checkCertificate(given, given.tls_key);
    const row = await insertLink(deps.db, accountId, {
      name: `${carrier.name} ${newCode(6)}`,
      ...trafficDefaults,
      ...withoutConnection(given),
      carrier: carrier.name,
      settings: JSON.stringify(connects ? { ...connectionDefaults, ...connectionOf(given) } : {}),
      secrets: seal(deps, {}, given),
    });
    if (!row) throw nameTaken();
    if (connects) {
      for (const name of deps.carriers.trials) await disableLinks(deps.db, accountId, name);
    }
    await tell(deps, accountId, row.uuid, 'created');
    const { warnings, events } = connects ? await goLive(deps, accountId) : { warnings: [], events: [] };
    await appendEvents(deps.db, events);
    return { row, warnings };
  });

export const changeLink = (deps: Deps, accountId: string, uuid: string, change: SmsLinkUpdate): Promise<LinkRow> =>
  changing(deps, async (deps) => {
    const before = await lockLink(deps.db, accountId, uuid);
    if (!before) throw notFound();
    check(deps, change, { connects: Object.keys(before.settings as object).length > 0, isNew: false });
    const known = openSecrets(deps.vault, before.secrets).values;
    if (change.tls_cert !== undefined || change.tls_key !== undefined)
      checkCertificate({ ...(before.settings as object), ...change }, change.tls_key ?? known['tls_key']);
    const { name, messages_per_second, weight, enabled } = { ...before, ...withoutConnection(change) };
    const row = await updateLink(deps.db, accountId, uuid, {
      name,
      messages_per_second,
      weight,
      enabled,
      settings: JSON.stringify({ ...(before.settings as object), ...connectionOf(change) }),
      secrets: secretsAfter(deps, before.secrets, change),
    });
    if (!row) throw nameTaken();
    await tell(deps, accountId, uuid, 'changed');
    return row;
  });

/**
 * Deletes a link. What is queued waits for another link. Receipts and messages that still come for this one are not received any
 * more.
 */
export const deleteLink = (deps: Deps, accountId: string, uuid: string): Promise<void> =>
  changing(deps, async (deps) => {
    if (!(await deleteLinkRow(deps.db, accountId, uuid))) throw notFound();
    await tell(deps, accountId, uuid, 'deleted');
  });

async function changing<T>(deps: Deps, change: (deps: Deps) => Promise<T>): Promise<T> {
  const result = await within(deps, change);
  forgetLinks(deps);
  return result;
}

const tell = ({ db }: Deps, accountId: string, subject: string, step: string): Promise<void> =>
  appendEvents(db, [{ accountId, subjectType, subject, kind: `${subjectType}.${step}` }]);

const nameTaken = () => new ValidationError({ name: ['This field must be unique.'] });

/** A carrier that connects somewhere must know where; one that does not has no use for it. */
function check({ guards }: Deps, given: SmsLinkUpdate, { connects, isNew }: { connects: boolean; isNew: boolean }) {
  const errors: FieldErrors = {};
  for (const field of [...connectionNames, ...secretNames]) {
    if (!connects && given[field] !== undefined) errors[field] = ['This carrier does not use this field.'];
  }
  for (const field of connects && isNew ? required : []) {
    if (given[field] === undefined) errors[field] = ['This field is required.'];
  }
  const { host } = given;
  // Names are checked at every connection.
  if (connects && host && isIP(host) !== 0 && !guards.smpp.isAllowed(host)) {
    errors['host'] = [refusalOf('SMPP_ALLOW')];
  }
  if (Object.keys(errors).length > 0) throw new ValidationError(errors);
}

/** A certificate that cannot be used would only show at the next connection. */
function checkCertificate({ tls_cert: cert }: Pick<SmsLinkUpdate, 'tls_cert'>, key: string | undefined): void {
  if (!cert && !key) return;
  if (!cert) throw new ValidationError({ tls_cert: ['Enter the certificate of this key as well.'] });
  if (!key) throw new ValidationError({ tls_key: ['Enter the key of this certificate as well.'] });
  try {
    createSecureContext({ cert });
  } catch {
    throw new ValidationError({ tls_cert: ['Enter a certificate in PEM format.'] });
  }
  try {
    createSecureContext({ cert, key });
  } catch {
    throw new ValidationError({
      tls_key: ['Enter the private key of this certificate in PEM format, without a passphrase.'],
    });
  }
}

function connectionOf(given: SmsLinkUpdate): object {
  return Object.fromEntries(
    connectionNames.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])),
  );
}

function withoutConnection(given: SmsLinkUpdate): Partial<Omit<LinkFields, 'settings' | 'secrets'>> {
  const { name, messages_per_second, weight, enabled } = given;
  const fields = { name, messages_per_second, weight, enabled };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** The secrets after a change. Those that it does not name stay as they are, whether or not they can be read. */
function secretsAfter(deps: Deps, before: string | null, change: SmsLinkUpdate): string | null {
  if (secretNames.every((name) => change[name] === undefined)) return before;
  return seal(deps, openSecrets(deps.vault, before).values, change);
}

/** The secrets as they are stored; null: there are none. */
function seal({ vault }: Deps, known: Record<string, string>, given: SmsLinkUpdate): string | null {
  const secrets = { ...known };
  for (const name of secretNames) if (given[name] !== undefined) secrets[name] = given[name];
  return Object.keys(secrets).length === 0 ? null : vault.seal(JSON.stringify(secrets));
}
