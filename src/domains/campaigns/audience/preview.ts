import { type Static, Type } from 'typebox';
import type { Deps } from '../../../deps.ts';
import { ApiError, notFound, ValidationError } from '../../../platform/errors.ts';
import { FreeForm, Phone, Uuid } from '../../../platform/http/openapi/models.ts';
import { nullable } from '../../../platform/http/validation/index.ts';
import { readPhone } from '../../../platform/phone.ts';
import { segmentText } from '../../../platform/sms-text/index.ts';
import { systemClock } from '../../../platform/time/clock.ts';
import { countryOf } from '../../accounts/index.ts';
import { audienceBatch } from '../../contacts/index.ts';
import { findOptedOutNow } from '../../optouts/index.ts';
import { type Composed, makeComposer, requestOf } from '../feed/compose.ts';
import { findCampaign } from '../queries.ts';
import { type CampaignFields, fieldsOf } from '../schemas.ts';
import { type Contact, findContactByDigits, findContacts } from './queries.ts';

export const CampaignPreviewOf = Type.Object(
  {
    contact: Type.Optional(Uuid('A contact, on the lists or not.')),
    phone_number: Type.Optional(Phone('The same by the number; of somebody who is no contact, nothing else is known.')),
  },
  { title: 'CampaignPreviewOf', description: 'Neither: the first of the audience.' },
);

export const CampaignPreview = Type.Object(
  {
    contact: nullable(Uuid('null: no contact has the number.')),
    phone_number: Type.String(),
    message: FreeForm({ description: 'What would be sent: the body of the request for a single message or SMS.' }),
    missing: Type.Array(Type.String(), { description: 'Placeholders without a value and without a fallback.' }),
    segments: nullable(Type.Integer({ description: 'The parts of an SMS.' })),
    encoding: nullable(Type.String({ description: 'Of an SMS: GSM7 or UCS2.' })),
    problem: nullable(Type.String({ description: 'Why this person would get nothing.' })),
  },
  { title: 'CampaignPreview' },
);

/** What somebody would get, as things are now. Nothing is sent or kept; links are shown as they were written. */
export async function previewCampaign(
  deps: Deps,
  accountId: string,
  uuid: string,
  of: Static<typeof CampaignPreviewOf>,
): Promise<Static<typeof CampaignPreview>> {
  const { db } = deps;
  const row = await findCampaign(db, accountId, uuid);
  if (!row) throw notFound();
  const campaign = fieldsOf(row);
  const contact = await findPerson(deps, accountId, campaign, of);
  const to = `+${contact.digits}`;
  const composed = makeComposer(campaign)(contact);
  const [optedOut] = await findOptedOutNow(deps, [{ accountId, digits: contact.digits }], campaign.channel);
  const made = messageOf(campaign, composed, to);
  const segmented = campaign.channel === 'SMS' ? segmentText((composed.content as { text: string }).text) : undefined;
  return {
    contact: contact.uuid,
    phone_number: contact.phone_number,
    message: made.message,
    missing: composed.missing,
    segments: segmented?.segments.length ?? null,
    encoding: segmented?.encoding ?? null,
    problem: optedOut ? new ApiError('recipient_opted_out').message : made.problem,
  };
}

function messageOf(campaign: CampaignFields, { content, isTooLong }: Composed, to: string) {
  if (isTooLong) return { message: {}, problem: 'With its placeholders filled in, the text is too long.' };
  const made = requestOf(campaign, content, to);
  if ('problem' in made) return { message: { ...content }, problem: made.problem };
  return { message: made.request as Record<string, unknown>, problem: null };
}

/** Somebody who is no contact has a number and nothing else. */
type Somebody = Omit<Contact, 'uuid'> & { uuid: string | null };

/** The contact, or whoever has the number, or the first of the audience. */
export async function findPerson(
  deps: Deps,
  accountId: string,
  campaign: CampaignFields,
  { contact, phone_number }: Static<typeof CampaignPreviewOf>,
): Promise<Somebody> {
  const { db } = deps;
  if (contact !== undefined) {
    const [found] = await findContacts(db, accountId, [contact]);
    if (!found) throw new ValidationError({ contact: ['No contact of yours has this id.'] });
    return found;
  }
  if (phone_number === undefined) return findFirst(db, accountId, campaign);
  const digits = readPhone(phone_number, await countryOf(deps, accountId));
  const nobody = { name: '', language_code: '', time_zone: '', attributes: {} };
  return (await findContactByDigits(db, accountId, digits)) ?? { uuid: null, phone_number, digits, ...nobody };
}

async function findFirst(db: Deps['db'], accountId: string, campaign: CampaignFields): Promise<Contact> {
  const { lists, excluded_lists: excludedLists, segment } = campaign;
  const at = systemClock.now().toISOString();
  const { members } = await audienceBatch(db, accountId, {
    lists,
    excludedLists,
    segment,
    at,
    after: null,
    limit: 1000,
  });
  const first = members.find((member) => !member.deleted);
  if (!first) {
    const whom = segment.length === 0 ? 'Nobody is on the lists' : 'Nobody of the first thousand meets the conditions';
    throw new ValidationError({ contact: [`${whom}: name a contact.`] });
  }
  return first as Contact;
}
