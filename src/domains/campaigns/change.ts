import { Type } from 'typebox';
import type { Deps } from '../../deps.ts';
import { type Db, inTransaction } from '../../platform/db/connect/pool.ts';
import { ApiError, type FieldErrors, notFound, ValidationError } from '../../platform/errors.ts';
import { Phone } from '../../platform/http/openapi/models.ts';
import { bodyValidator } from '../../platform/http/validation/index.ts';
import { isPhone } from '../../platform/phone.ts';
import { within } from '../../platform/within.ts';
import { countryOf } from '../accounts/index.ts';
import { findLists, segmentErrors } from '../contacts/index.ts';
import { isName, SmsCreate, senderSentence } from '../sms/index.ts';
import { isOver } from './launches/states.ts';
import {
  type CampaignRow,
  deleteCampaign as deleteRow,
  findCampaign,
  insertCampaign,
  lockCampaign,
  updateCampaign as updateRow,
} from './queries.ts';
import { type CampaignCreate, type CampaignFields, type CampaignPatch, fieldsOf, withDefaults } from './schemas.ts';

export const createCampaign = (deps: Deps, accountId: string, request: CampaignCreate): Promise<CampaignRow> =>
  within(deps, async (deps) => {
    const { db } = deps;
    const fields = withDefaults(request);
    await checkCampaign(deps, accountId, fields);
    return (await findCampaign(db, accountId, await insertCampaign(db, accountId, fields)))!;
  });

/** Changes a campaign; a launch that is under way goes on as it was. */
export const updateCampaign = (
  deps: Deps,
  accountId: string,
  uuid: string,
  change: CampaignPatch,
): Promise<CampaignRow> =>
  within(deps, async (deps) => {
    const { db } = deps;
    const before = await lockCampaign(db, accountId, uuid);
    if (!before) throw notFound();
    const fields = { ...fieldsOf(before), ...change };
    await checkCampaign(deps, accountId, fields);
    await updateRow(db, accountId, uuid, fields);
    return (await findCampaign(db, accountId, uuid))!;
  });

/** Its launches stay. */
export const deleteCampaign = ({ db }: Deps, accountId: string, uuid: string): Promise<void> =>
  inTransaction(db, async (db) => {
    const campaign = await lockCampaign(db, accountId, uuid);
    if (!campaign) throw notFound();
    if (campaign.status && !isOver(campaign.status)) throw new ApiError('campaign_running');
    await deleteRow(db, accountId, uuid);
  });

/** What the schema cannot say of a campaign: throws with the fields that are wrong. */
export async function checkCampaign(
  deps: Pick<Deps, 'db' | 'caches'>,
  accountId: string,
  fields: CampaignFields,
): Promise<void> {
  const errors = {
    ...contentErrors(fields),
    ...senderErrors(fields, await countryOf(deps, accountId)),
    ...(await listErrors(deps.db, accountId, fields)),
    ...segmentErrors(fields.segment),
  };
  if (Object.keys(errors).length > 0) throw new ValidationError(errors);
}

type Lists = Pick<CampaignFields, 'lists' | 'excluded_lists'>;

/** Throws if one of the lists is not the account's, or not there any more. */
export async function checkLists(db: Db, accountId: string, fields: Lists): Promise<void> {
  const errors = await listErrors(db, accountId, fields);
  if (Object.keys(errors).length > 0) throw new ValidationError(errors);
}

async function listErrors(db: Db, accountId: string, fields: Lists): Promise<FieldErrors> {
  const errors: FieldErrors = {};
  const known = new Set(
    (await findLists(db, accountId, [...fields.lists, ...fields.excluded_lists])).map(({ uuid }) => uuid),
  );
  for (const name of ['lists', 'excluded_lists'] as const) {
    const unknown = [...fields[name].entries()].filter(([, uuid]) => !known.has(uuid.toLowerCase()));
    if (unknown.length === 0) continue;
    errors[name] = Object.fromEntries(unknown.map(([place, uuid]) => [place, [`List "${uuid}" does not exist.`]]));
  }
  return errors;
}

function contentErrors({ channel, template, text }: CampaignFields): FieldErrors {
  if (template && channel === 'SMS') return { template: ['An SMS has a text, not a template.'] };
  if (template && text !== '') return { text: ['Give a template or a text, not both.'] };
  if (template || text.trim() !== '') return {};
  return { text: [channel === 'SMS' ? 'This field is required.' : 'Give a template or a text.'] };
}

const chatSender = bodyValidator(Type.Object({ sender: Phone() }));
const sms = bodyValidator(SmsCreate);

function senderErrors({ channel, sender }: CampaignFields, country: string): FieldErrors {
  if (channel === 'CHATAPP') return (chatSender({ sender }, country) ?? {}) as FieldErrors;
  const { from } = (sms({ from: sender, to: '15550000002', text: '-' }) ?? {}) as FieldErrors;
  if (from !== undefined) return { sender: from };
  return isName(sender) || isPhone(sender, country) ? {} : { sender: [senderSentence] };
}
