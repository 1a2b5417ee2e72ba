import type { Deps } from '../../../deps.ts';
import { ApiError, type FieldErrors, ValidationError } from '../../../platform/errors.ts';
import { withOffset } from '../../../platform/http/validation/index.ts';
import { isPhone } from '../../../platform/phone.ts';
import { type Segmented, segmentText } from '../../../platform/sms-text/index.ts';
import { countriesOf } from '../../accounts/index.ts';
import { findOwnNumbers } from '../../numbers/index.ts';
import { findOptedOut } from '../../optouts/index.ts';
import { callbackUrlErrors } from '../../webhooks/index.ts';
import { addressKey, isClear, isName } from '../addresses.ts';
import { type AccountLinks, findAccountLinks } from '../links/links.ts';
import { mostSegments, senderSentence } from '../schemas.ts';
import type { NewSms } from './send.ts';
import { findSenderNames, type SenderStatus } from './senders.ts';

/** Delivery does not look further back than 100 days for what still waits. */
const furthestMs = 90 * 86_400_000;

/** An SMS that may be sent, and what was found out about it. */
export interface Checked extends Addressed {
  sms: NewSms;
  segmented: Segmented;
  /** The present by the clock of the account's links. */
  now: Date;
}

/** The keys by which the two addresses of an SMS are compared. */
interface Addressed {
  sms: NewSms;
  fromKey: string;
  toKey: string;
}

/** Checks a whole batch with a few queries, and writes nothing. Answers, for each SMS, its error or what was found out about it. */
export async function checkAll(deps: Deps, batch: NewSms[]): Promise<(Checked | Error)[]> {
  const links = await findAccountLinks(
    deps,
    batch.map(({ accountId }) => accountId),
  );
  const linksOf = (sms: NewSms) => links.get(sms.accountId) ?? null;
  const countries = await countriesOf(
    deps,
    batch.filter(({ request }) => !isClear(request.from) || !isClear(request.to)).map(({ accountId }) => accountId),
  );
  const addressed = batch.map((sms): Addressed => {
    const country = countries.get(sms.accountId);
    return { sms, fromKey: addressKey(sms.request.from, country), toKey: addressKey(sms.request.to, country) };
  });
  const [unwanted, strangers] = await Promise.all([
    findUnwanted(deps, addressed, linksOf),
    findStrangers(
      deps,
      addressed.filter(({ sms }) => linksOf(sms)?.ownSendersOnly),
    ),
  ]);
  return addressed.map(({ sms, fromKey, toKey }) => {
    const account = linksOf(sms);
    if (!account) return new ValidationError({ non_field_errors: ['The account has no SMS link.'] });
    const now = account.clock.now();
    const segmented = segmentText(sms.request.text, { smart: sms.request.smart_encoding ?? false });
    const errors = { ...addressErrors(sms, countries), ...errorsOf(deps, sms, segmented, now) };
    const sentence = strangers.get(sms);
    if (sentence) errors['from'] = [sentence];
    if (Object.keys(errors).length > 0) return new ValidationError(errors);
    if (unwanted.has(sms)) return new ApiError('recipient_opted_out');
    return { sms, fromKey, toKey, segmented, now };
  });
}

/** Numbers that cannot exist in the country of the account. */
function addressErrors(
  { accountId, request: { from, to } }: NewSms,
  countries: ReadonlyMap<string, string>,
): FieldErrors {
  const isWrong = (address: string) => !isName(address) && !isPhone(address, countries.get(accountId));
  return {
    ...(isWrong(from) && { from: [senderSentence] }),
    ...(isWrong(to) && { to: ['Enter a valid phone number.'] }),
  };
}

function errorsOf(deps: Deps, { request }: NewSms, { segments }: Segmented, now: Date): FieldErrors {
  const errors: FieldErrors = {};
  if (segments.length > mostSegments) {
    errors['text'] = [`Ensure this text has no more than ${mostSegments} segments; it has ${segments.length}.`];
  }
  if (request.send_at && Date.parse(withOffset(request.send_at)) > now.getTime() + furthestMs) {
    errors['send_at'] = ['Ensure this moment is within 90 days.'];
  }
  const callback = request.callback_url && callbackUrlErrors(deps, request.callback_url);
  if (callback) errors['callback_url'] = callback;
  return errors;
}

/** The SMS whose recipients have opted out. A person who wrote since may be answered; a campaign is no answer. */
async function findUnwanted(deps: Deps, batch: Addressed[], linksOf: (sms: NewSms) => AccountLinks | null) {
  const recipients = batch.map(({ sms, toKey }) => ({
    accountId: sms.accountId,
    digits: toKey,
    answeredAt: sms.campaignLog === undefined ? linksOf(sms)?.clock.now() : undefined,
    sms,
  }));
  const optedOut = await findOptedOut(deps, recipients, 'SMS');
  return new Set([...optedOut].map(({ sms }) => sms));
}

/**
 * The SMS whose senders the account may not use, and why. A batch has many SMS and few senders, so each sender is looked up once.
 */
async function findStrangers(deps: Deps, batch: Addressed[]): Promise<Map<NewSms, string>> {
  const bySender = Map.groupBy(batch, ({ sms, fromKey }) => `${sms.accountId} ${fromKey}`);
  const senders = [...bySender.values()].map((some) => {
    const { sms, fromKey } = some[0]!;
    return { accountId: sms.accountId, digits: fromKey, isName: isName(sms.request.from), some };
  });
  const names = senders.filter((sender) => sender.isName);
  const numbers = senders.filter((sender) => !sender.isName);
  const [numberOf, known] = await Promise.all([
    numbers.length === 0 ? () => undefined : findOwnNumbers(deps.db, numbers),
    names.length === 0 ? new Map<string, SenderStatus>() : findSenderNames(deps, names),
  ]);
  const strangers = new Map<NewSms, string>();
  for (const { accountId, digits, some } of senders) {
    if (numberOf(accountId, digits)?.capabilities.includes('SMS')) continue;
    const sentence = refusals[known.get(accountId + digits) ?? 'UNKNOWN'];
    if (sentence !== null) for (const { sms } of some) strangers.set(sms, sentence);
  }
  return strangers;
}

const refusals = {
  APPROVED: null,
  PENDING: 'This sender is waiting for approval by the operator of this server.',
  REJECTED: 'This sender was rejected by the operator of this server.',
  UNKNOWN: 'This is neither one of your SMS-capable numbers nor a registered sender.',
} as const;
