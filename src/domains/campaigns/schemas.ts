import { type Static, Type } from 'typebox';
import { orderedBy, pageQuery } from '../../platform/db/page.ts';
import { FreeForm, PageOf, Timestamp, Uuid } from '../../platform/http/openapi/models.ts';
import { nullable, record } from '../../platform/http/validation/index.ts';
import { Segment } from '../contacts/index.ts';
import { searchQuery } from '../directory/index.ts';
import { LanguageCode, TemplateComponents, TemplateName } from '../templates/index.ts';
import { logStatuses } from './launches/states.ts';
import type { CampaignRow } from './queries.ts';

export const CampaignChannel = Type.Enum(['CHATAPP', 'SMS'], { title: 'CampaignChannel' });
export type CampaignChannel = Static<typeof CampaignChannel>;

const clockTime = { pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', 'x-message': 'Enter a time as HH:MM.' };
const CampaignQuietHours = Type.Union(
  [
    Type.Object({ start: Type.String(clockTime), end: Type.String(clockTime) }, { title: 'CampaignQuietHours' }),
    Type.Literal(false),
    Type.Null(),
  ],
  {
    description:
      'Local time of each recipient; may pass midnight. What would be sent in these hours is held until they end. null: those of the account; false: none.',
  },
);

const CampaignTemplate = Type.Object(
  {
    template_name: TemplateName,
    language_code: Type.Optional(LanguageCode),
    components: Type.Optional(TemplateComponents),
  },
  { title: 'CampaignTemplate', description: 'Its texts may hold `{{ placeholders }}`.' },
);

const listsOf = (description: string, minItems: number) =>
  Type.Array(Uuid(), { minItems, maxItems: 50, uniqueItems: true, description });
export const lists = listsOf('Who gets it: everybody who is on one of these when it starts.', 1);
export const excludedLists = listsOf('Who is on one of these gets nothing.', 0);

const needed = {
  name: Type.String({ minLength: 1, maxLength: 200 }),
  channel: CampaignChannel,
  sender: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'CHATAPP: the number of a chat-app account. SMS: one of your numbers, or a registered sender name.',
  }),
  lists,
};
const optional = {
  template: nullable(CampaignTemplate),
  text: Type.String({
    maxLength: 10_000,
    description:
      'In place of a template, with `{{ placeholders }}`. On the chat app a text reaches only people who wrote within a day.',
  }),
  fallbacks: record(Type.String({ maxLength: 1000 }), {
    maxProperties: 100,
    description: 'What stands for a placeholder that a contact has no value for.',
  }),
  excluded_lists: excludedLists,
  segment: Segment,
  rate_per_second: nullable(
    Type.Integer({ minimum: 1, maximum: 1000, description: 'At most so many; null: as fast as the sender may.' }),
  ),
  quiet_hours: CampaignQuietHours,
  track_links: Type.Boolean({
    description: 'Replaces addresses in texts by links of this server that count who opens them.',
  }),
  send_at: nullable(
    Type.String({ format: 'date-time', description: 'When a launch begins that does not say; null: at once.' }),
  ),
  meta_data: FreeForm({ description: 'Kept with the campaign and each of its messages.' }),
};

export const CampaignCreate = Type.Object(
  { ...needed, ...Type.Partial(Type.Object(optional)).properties },
  { title: 'CampaignCreate' },
);
export type CampaignCreate = Static<typeof CampaignCreate>;

export const CampaignPatch = Type.Partial(Type.Object({ ...needed, ...optional }), { title: 'CampaignPatch' });
export type CampaignPatch = Static<typeof CampaignPatch>;

/** A campaign with nothing left out. */
const CampaignFields = Type.Object({ ...needed, ...optional });
export type CampaignFields = Static<typeof CampaignFields>;

export const withDefaults = (request: CampaignCreate): CampaignFields => ({
  template: null,
  text: '',
  fallbacks: {},
  excluded_lists: [],
  segment: [],
  rate_per_second: null,
  quiet_hours: null,
  track_links: false,
  send_at: null,
  meta_data: {},
  ...request,
});

const CampaignStatus = Type.Enum(['DRAFT', ...logStatuses], {
  description: 'DRAFT, or the status of its newest launch.',
});

export const CampaignQuery = Type.Object({
  ...pageQuery,
  ...orderedBy('name'),
  channel: Type.Optional(CampaignChannel),
  status: Type.Optional(CampaignStatus),
  name: Type.Optional(Type.String({ maxLength: 200, description: 'How words of the name begin, in any case.' })),
  ...searchQuery,
});

export const Campaign = Type.Object(
  {
    uuid: Uuid(),
    ...needed,
    ...optional,
    send_at: nullable(Timestamp('When a launch begins that does not say.')),
    status: CampaignStatus,
    campaign_log: nullable(Uuid('Its newest launch.')),
    created: Timestamp(),
    modified: Timestamp(),
  },
  { title: 'Campaign' },
);
export const CampaignPage = PageOf(Campaign, 'CampaignPage');

/** A stored campaign in the words of the request. */
export const fieldsOf = (row: CampaignRow): CampaignFields => ({
  name: row.name,
  channel: row.channel as CampaignChannel,
  sender: row.sender,
  template: row.template as CampaignFields['template'],
  text: row.text,
  fallbacks: row.fallbacks as Record<string, string>,
  lists: row.lists,
  excluded_lists: row.excluded_lists,
  segment: row.segment as Segment,
  rate_per_second: row.rate_per_second,
  quiet_hours: quietHoursOf(row.quiet_hours as { start: string; end: string } | Record<string, never> | null),
  track_links: row.track_links,
  send_at: row.send_at,
  meta_data: row.meta_data as Record<string, unknown>,
});

/** An empty object is stored for "none". */
const quietHoursOf = (stored: { start?: string; end?: string } | null): CampaignFields['quiet_hours'] => {
  if (stored === null) return null;
  const { start, end } = stored;
  return start !== undefined && end !== undefined ? { start, end } : false;
};

export const presentCampaign = (row: CampaignRow) => ({
  uuid: row.uuid,
  ...fieldsOf(row),
  status: row.status ?? 'DRAFT',
  campaign_log: row.campaign_log,
  created: row.created,
  modified: row.modified,
});
