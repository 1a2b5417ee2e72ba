import { groupSchema, userSchema } from './resources.ts';

const listSchema = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

export const listOf = (resources: object[], { total = resources.length, startIndex = 1 } = {}) => ({
  schemas: [listSchema],
  totalResults: total,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
});

/** What a client may expect (RFC 7643, 5). */
export const serviceProviderConfig = (base: string) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  documentationUri: `${base.replace(/\/scim\/v2$/, '')}/help/scim/`,
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: 200 },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'An API token with the scope scim:write.',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
});

export const resourceTypes = (base: string) =>
  [
    { id: 'User', endpoint: '/Users', schema: userSchema },
    { id: 'Group', endpoint: '/Groups', schema: groupSchema },
  ].map((type) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    name: type.id,
    ...type,
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${type.id}` },
  }));

const attribute = (name: string, more: object = {}) => ({
  name,
  type: 'string',
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...more,
});
const complex = (name: string, subAttributes: object[], more: object = {}) =>
  attribute(name, { type: 'complex', subAttributes, ...more });

export const schemas = (base: string) =>
  [
    {
      id: userSchema,
      name: 'User',
      attributes: [
        attribute('userName', { required: true, uniqueness: 'server' }),
        attribute('externalId', { caseExact: true }),
        attribute('displayName'),
        complex('name', [attribute('formatted'), attribute('givenName'), attribute('familyName')]),
        complex('emails', [attribute('value'), attribute('type'), attribute('primary', { type: 'boolean' })], {
          multiValued: true,
        }),
        attribute('active', { type: 'boolean' }),
        complex('groups', [attribute('value'), attribute('display')], { multiValued: true, mutability: 'readOnly' }),
      ],
    },
    {
      id: groupSchema,
      name: 'Group',
      attributes: [
        attribute('displayName', { required: true, uniqueness: 'server' }),
        attribute('externalId', { caseExact: true }),
        complex('members', [attribute('value'), attribute('display', { mutability: 'readOnly' })], {
          multiValued: true,
        }),
      ],
    },
  ].map((schema) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
    ...schema,
    meta: { resourceType: 'Schema', location: `${base}/Schemas/${schema.id}` },
  }));
