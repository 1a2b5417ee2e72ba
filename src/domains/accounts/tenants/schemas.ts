import { type Static, Type } from 'typebox';
import { CountryCode, FreeForm, PageOf, Timestamp, Uuid } from '../../../platform/http/openapi/models.ts';
import { nullable } from '../../../platform/http/validation/index.ts';
import { accountFields, limitFields } from '../schemas.ts';
import { standings } from '../standing.ts';
import { TokenCreate } from '../tokens/schemas.ts';
import type { TenantRow } from './queries.ts';

export const TenantStatus = Type.Enum([...standings], {
  title: 'TenantStatus',
  description:
    'SUSPENDED: its tokens are refused, nothing of it leaves, and what comes in is kept. DELETING: the same, and a job removes it.',
});

const TenantLimits = Type.Object(limitFields, {
  title: 'TenantLimits',
  additionalProperties: false,
  'x-message': `Not a known limit. Use ${Object.keys(limitFields).join(' and ')}.`,
  description: 'What is left out is as the settings of the server say.',
});

const { name, default_country, time_zone } = accountFields;
const optional = {
  default_country: Type.Optional(CountryCode({ description: 'In which it writes national numbers. Left out: GB.' })),
  time_zone: Type.Optional({ ...time_zone, description: 'Left out: UTC.' }),
  limits: Type.Optional(TenantLimits),
};
export const TenantCreate = Type.Object({ name, ...optional }, { title: 'TenantCreate' });
export type TenantCreate = Static<typeof TenantCreate>;
export const TenantPatch = Type.Partial(Type.Object({ name, default_country, time_zone, limits: TenantLimits }), {
  title: 'TenantPatch',
  description: '`limits` are replaced as a whole.',
});
export type TenantPatch = Static<typeof TenantPatch>;

export const Tenant = Type.Object(
  {
    uuid: Uuid(),
    name: Type.String(),
    status: TenantStatus,
    default_country: Type.String(),
    time_zone: Type.String(),
    limits: FreeForm(),
    usage: Type.Object({ storage_bytes: Type.Integer({ description: 'The room that files take now.' }) }),
    operator: Type.Boolean({ description: 'Whether it is the account of whoever runs this server.' }),
    suspended: nullable(Timestamp('Since when it is suspended.')),
    created: Timestamp(),
    modified: Timestamp(),
  },
  { title: 'Tenant' },
);
export const TenantPage = PageOf(Tenant, 'TenantPage');

export const TenantTokenCreate = Type.Object(
  {
    name: Type.Optional({ ...TokenCreate.properties.name, description: 'Left out: `First token`.' }),
    scopes: TokenCreate.properties.scopes,
    expires: Type.Optional(
      nullable(Type.String({ format: 'date-time', description: 'null or left out: it does not expire.' })),
    ),
  },
  { title: 'TenantTokenCreate', description: 'Without `scopes` it may read and write.' },
);
export type TenantTokenCreate = Static<typeof TenantTokenCreate>;

export const presentTenant = (row: TenantRow) => ({
  uuid: row.uuid,
  name: row.name,
  status: row.status,
  default_country: row.default_country,
  time_zone: row.time_zone,
  limits: row.limits,
  usage: { storage_bytes: row.stored_bytes },
  operator: row.operator,
  suspended: row.suspended_at,
  created: row.created,
  modified: row.modified,
});
