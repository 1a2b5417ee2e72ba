import { phoneDigits } from '../../../platform/phone.ts';
import { partsOf } from '../../../platform/sms-parts/index.ts';
import { type Clock, exactMs } from '../../../platform/time/clock.ts';
import type { OnRequest } from '../../ports/carriers.ts';
import type { OutboundSms, SmsOutcome } from '../../ports/sms.ts';
import type { Given } from '../codec/index.ts';
import type { Link } from '../links/link.ts';
import type { AddressKind, LinkPlan } from '../links/settings.ts';
import type { Ids } from './ids.ts';
import { outcomeOfAnswer, outcomeOfError, outcomeOfParts, type PartOutcome } from './outcome.ts';

export interface Way {
  link: Link;
  plan: LinkPlan;
  ids: Ids;
  inHand: { parts: number };
  clock: Clock;
  onRequest?: OnRequest | undefined;
}

interface MissingPart {
  part: number;
  pdu: Given<'submit_sm'>;
}

/** Hands over what is missing of a message. All parts are asked for at once; the link's window and pace space them. */
export async function submit(way: Way, message: OutboundSms): Promise<SmsOutcome> {
  let missing: MissingPart[];
  try {
    missing = pdusOf(way, message).filter(({ part }) => !message.partsTaken.has(part));
  } catch (error) {
    return { ...outcomeOfError(error), parts: [] };
  }
  return outcomeOfParts(
    message.segments.length,
    await Promise.all(missing.map((one) => submitPart(way, message.uuid, one))),
  );
}

async function submitPart(
  { link, ids, inHand, onRequest }: Way,
  uuid: string,
  { part, pdu }: MissingPart,
): Promise<PartOutcome> {
  inHand.parts++;
  const startMs = exactMs();
  try {
    const outcome = outcomeOfAnswer(await link.submit(pdu));
    onRequest?.({
      uuid,
      name: 'submit_sm',
      startMs,
      attributes: { 'parley.part': part, 'parley.outcome': outcome.kind },
    });
    return outcome.kind === 'taken' ? { part, kind: 'taken', id: ids.taken(outcome.id) } : { part, ...outcome };
  } catch (error) {
    return { part, ...outcomeOfError(error) };
  } finally {
    inHand.parts--;
  }
}

function pdusOf({ plan, clock }: Way, message: OutboundSms): MissingPart[] {
  const source = addressOf(message.from, plan.source);
  const destination = addressOf(message.to, plan.destination);
  const whole: Given<'submit_sm'> = {
    service_type: plan.serviceType,
    source_addr_ton: source.ton,
    source_addr_npi: source.npi,
    source_addr: source.text,
    dest_addr_ton: destination.ton,
    dest_addr_npi: destination.npi,
    destination_addr: destination.text,
    validity_period: validityOf(message.expiresAt, clock.now()),
    // A receipt, whether it was delivered or not.
    registered_delivery: 1,
  };
  const segmented = { ...message, segments: [...message.segments], units: 0, referenceBits: 8 as const };
  return partsOf(segmented, referenceOf(message.uuid)).map(({ bytes, dataCoding, esmClass }, index) => ({
    part: index + 1,
    pdu: { ...whole, esm_class: esmClass, data_coding: dataCoding, short_message: bytes },
  }));
}

/** The same at every attempt, so that parts of different attempts still belong together on the phone. */
const referenceOf = (uuid: string): number => Number.parseInt(uuid.slice(-2), 16);

const mostDays = 31;
const longestMs = mostDays * 86_400_000;

/** From now on, as `YYMMDDhhmmsstnnR` (SMPP 3.4, 7.1.1.2): that needs no clock on which both sides agree. */
function validityOf(expiresAt: Date | null, now: Date): string {
  if (!expiresAt) return '';
  const seconds = Math.ceil(Math.min(longestMs, Math.max(1000, expiresAt.getTime() - now.getTime())) / 1000);
  const pairs = [seconds / 86_400, (seconds / 3600) % 24, (seconds / 60) % 60, seconds % 60];
  return `0000${pairs.map((value) => String(Math.floor(value)).padStart(2, '0')).join('')}000R`;
}

export interface Address extends AddressKind {
  text: string;
}

/** National short codes have up to six digits; no international number has so few. */
const longestShortCode = 6;

/** How a sender or a recipient is written for a centre: a number without its plus, a short code, or a name. */
function addressOf(party: string, agreed: Partial<AddressKind> = {}): Address {
  if (/[a-z]/i.test(party)) return { ton: 5, npi: 0, text: party };
  const digits = phoneDigits(party);
  const kind = digits.length <= longestShortCode ? { ton: 3, npi: 0 } : { ton: 1, npi: 1 };
  return { ...kind, ...agreed, text: digits };
}
