import { type Static, Type } from 'typebox';
import { PageOf, Timestamp, Uuid } from '../../../platform/http/openapi/models.ts';
import { nullable } from '../../../platform/http/validation/index.ts';
import { RoleName } from '../roles/schemas.ts';
import { password, username } from '../users/schemas.ts';
import type { InvitationRow, KnownInvitation } from './queries.ts';

const days = Type.Integer({ minimum: 1, maximum: 30, description: 'Days that the link works. Left out: 7.' });

export const InvitationCreate = Type.Object(
  {
    email: Type.Optional(
      Type.String({
        maxLength: 150,
        description: 'Whom it is for; the username they are offered. Nothing is sent there.',
      }),
    ),
    role: Type.Optional({ ...RoleName, description: 'The role they will have. Left out: `agent`.' }),
    expires_in_days: Type.Optional(days),
  },
  { title: 'InvitationCreate' },
);
export type InvitationCreate = Static<typeof InvitationCreate>;

const fields = {
  uuid: Uuid(),
  email: Type.String({ description: 'Whom it is for.' }),
  role: Type.String({ description: 'The role they will have.' }),
  status: Type.Enum(['PENDING', 'ACCEPTED', 'EXPIRED'], { title: 'InvitationStatus' }),
  created_by: Type.String({ description: 'The user or token that created it.' }),
  created: Timestamp(),
  expires: Timestamp(),
  accepted: nullable(Timestamp('When it was used.')),
};
const link = Type.String({
  description: 'The address to give them. Works once; shown this once.',
  examples: ['https://parley.example.com/console/invitation/4f1c…'],
});
export const Invitation = Type.Object(fields, { title: 'Invitation' });
export const InvitationPage = PageOf(Invitation, 'InvitationPage');
export const InvitationWithLink = Type.Object({ ...fields, link }, { title: 'InvitationWithLink' });
export const PasswordReset = Type.Object({ link, expires: Timestamp() }, { title: 'PasswordReset' });

const secret = Type.String({ minLength: 1, maxLength: 200, description: 'The last part of the link.' });
export const InvitationSecret = Type.Object({ secret }, { title: 'InvitationSecret' });
export const InvitationShown = Type.Object(
  {
    kind: Type.Enum(['INVITATION', 'RESET'], {
      title: 'InvitationKind',
      description: 'INVITATION: makes a user. RESET: gives a user another password.',
    }),
    account_name: Type.String({ description: 'The name of the account.' }),
    username: Type.String({ description: 'The username of a reset, or the one that is offered.' }),
    role: nullable(Type.String({ description: 'The role of an invitation.' })),
    expires: Timestamp(),
  },
  { title: 'InvitationShown' },
);
export const InvitationAccept = Type.Object(
  {
    secret,
    username: Type.Optional({ ...username, description: 'For an invitation; a reset has the user’s own.' }),
    full_name: Type.Optional(Type.String({ maxLength: 150, description: 'The name that others see.' })),
    password,
  },
  { title: 'InvitationAccept' },
);
export type InvitationAccept = Static<typeof InvitationAccept>;
export const Accepted = Type.Object({ username: Type.String() }, { title: 'InvitationAccepted' });

export const presentInvitation = (row: InvitationRow, now: Date) => ({
  uuid: row.uuid,
  email: row.email,
  role: row.role!,
  status: row.accepted ? 'ACCEPTED' : Date.parse(row.expires) <= now.getTime() ? 'EXPIRED' : 'PENDING',
  created_by: row.created_by,
  created: row.created,
  expires: row.expires,
  accepted: row.accepted,
});

export const presentShown = (row: KnownInvitation) => ({
  kind: row.user_uuid ? 'RESET' : 'INVITATION',
  account_name: row.account_name,
  username: row.username ?? row.email,
  role: row.role,
  expires: row.expires,
});
