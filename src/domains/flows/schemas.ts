import { type Static, Type } from 'typebox';
import { orderedBy, pageQuery } from '../../platform/db/page.ts';
import { FreeForm, PageOf, Phone, Timestamp, Uuid } from '../../platform/http/openapi/models.ts';
import { nullable } from '../../platform/http/validation/index.ts';
import { searchQuery } from '../directory/index.ts';
import type { FlowRow } from './queries.ts';

/** What flows are called on the timeline. */
export const subjectType = 'flow';

const flowStatuses = ['DRAFT', 'PUBLISHED', 'DEPRECATED', 'THROTTLED', 'BLOCKED'] as const;
const flowCategories = [
  'SIGN_UP',
  'SIGN_IN',
  'APPOINTMENT_BOOKING',
  'LEAD_GENERATION',
  'CONTACT_US',
  'CUSTOMER_SUPPORT',
  'SURVEY',
  'OTHER',
] as const;

const FlowStatus = Type.Enum([...flowStatuses], {
  title: 'FlowStatus',
  description: 'As the platform has it. THROTTLED and BLOCKED are its own doing.',
});
const FlowCategory = Type.Enum([...flowCategories], { title: 'FlowCategory' });
const Name = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'One of the chat-app account has it at a time, deprecated ones aside.',
});

export const FlowCreate = Type.Object(
  {
    chatapp_number: Phone('The number whose business account gets the flow.'),
    name: Name,
    category: FlowCategory,
    definition: Type.Optional(FreeForm({ description: "The flow's JSON, as the platform defines it." })),
    status: Type.Optional(
      Type.Enum(['DRAFT', 'PUBLISHED'], {
        default: 'DRAFT',
        description: 'PUBLISHED: published as soon as it is created; needs a definition.',
      }),
    ),
  },
  { title: 'FlowCreate' },
);
export type FlowCreate = Static<typeof FlowCreate>;

export const FlowUpdate = Type.Object(
  {
    name: Type.Optional(Name),
    category: Type.Optional(FlowCategory),
    definition: Type.Optional(FreeForm({ description: "The flow's JSON; that of a draft alone can be changed." })),
    status: Type.Optional(
      Type.Enum(['DRAFT', 'PUBLISHED', 'DEPRECATED'], {
        description: 'A draft can be published, and what is published deprecated; there is no way back.',
      }),
    ),
  },
  { title: 'FlowUpdate' },
);
export type FlowUpdate = Static<typeof FlowUpdate>;

const flowFields = {
  uuid: Uuid(),
  chatapp_number: Type.String(),
  name: Type.String(),
  status: FlowStatus,
  wanted_status: nullable(
    Type.Enum(['PUBLISHED', 'DEPRECATED'], { description: 'Where it is on its way to; null: it is not.' }),
  ),
  category: FlowCategory,
  categories: Type.Array(Type.String(), { description: 'All that the platform has.' }),
  flow_id: nullable(Type.String({ description: "The platform's id, which messages name; null: not created yet." })),
  validation_errors: Type.Array(FreeForm(), { description: 'What the platform finds wrong with its definition.' }),
  status_description: Type.String({ description: 'Why the platform refused the last change; empty: it did not.' }),
  created: Timestamp(),
  modified: Timestamp(),
};
export const Flow = Type.Object(flowFields, { title: 'Flow' });
export const FlowDetail = Type.Object(
  {
    ...flowFields,
    definition: nullable(
      FreeForm({ description: "The flow's JSON; null: it was drawn on the platform, or not at all." }),
    ),
  },
  { title: 'FlowDetail' },
);
export const FlowList = PageOf(Flow, 'FlowList');

export const FlowQuery = Type.Object({
  ...pageQuery,
  ...orderedBy('name'),
  chatapp_number: Type.Optional(Phone()),
  status: Type.Optional(FlowStatus),
  category: Type.Optional(FlowCategory),
  name: Type.Optional(Type.String({ maxLength: 200, description: 'Exactly this name.' })),
  q: Type.Optional(Type.String({ maxLength: 200, description: 'How the name begins, in any case.' })),
  ...searchQuery,
});
export type FlowQuery = Static<typeof FlowQuery>;

export const FlowPreview = Type.Object(
  {
    preview_url: Type.String({ description: 'Shows the flow to whoever opens it.' }),
    expires_at: Timestamp(),
  },
  { title: 'FlowPreview' },
);

export const FlowSync = Type.Object(
  { chatapp_number: Type.Optional(Phone('Of this number alone; left out: of all.')) },
  { title: 'FlowSync' },
);
export const FlowSyncStarted = Type.Object(
  { chatapp_accounts: Type.Integer({ description: 'How many chat-app accounts will be compared with the platform.' }) },
  { title: 'FlowSyncStarted' },
);

export const presentFlow = (row: FlowRow) => ({
  uuid: row.uuid,
  chatapp_number: row.chatapp_number,
  name: row.name,
  status: row.status,
  wanted_status: row.wanted_status,
  category: row.category,
  categories: row.categories,
  flow_id: row.flow_id,
  validation_errors: row.validation_errors,
  status_description: row.status_description,
  created: row.created,
  modified: row.modified,
});

export const presentDetail = (row: FlowRow) => ({ ...presentFlow(row), definition: row.definition });

/**
 * A flow's life: DRAFT → PUBLISHED → DEPRECATED, where it ends. The platform itself may hold a published one back
 * (THROTTLED, BLOCKED), and makes a draft of one that is edited over there.
 */
const ranks: Record<string, number> = { DRAFT: 0, PUBLISHED: 1, THROTTLED: 1, BLOCKED: 1, DEPRECATED: 2 };

export const isFlowStatus = (status: string): boolean => (flowStatuses as readonly string[]).includes(status);

/** Whether a flow that stands here has yet to go there. */
export const isBefore = (status: string, wanted: string): boolean => ranks[status]! < ranks[wanted]!;

/** Whether a request may ask for it: one step at a time. */
export const canMove = (from: string, to: string): boolean => ranks[to]! - ranks[from]! === 1;

/** The first that we know; the platform has had others. */
export const categoryOf = (categories: string[]): string =>
  flowCategories.find((category) => category === categories[0]) ?? 'OTHER';
