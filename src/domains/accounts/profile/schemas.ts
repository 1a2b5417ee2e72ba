import { type Static, Type } from 'typebox';
import { PageOf, Timestamp, Uuid } from '../../../platform/http/openapi/models.ts';
import { nullable } from '../../../platform/http/validation/index.ts';
import { accountFields } from '../schemas.ts';
import type { TokenRow } from '../tokens/queries.ts';
import { TokenKind } from '../tokens/schemas.ts';
import type { UserRow } from '../users/queries.ts';
import { password } from '../users/schemas.ts';

const writable = {
  full_name: Type.String({ maxLength: 150, description: 'The name that others see.' }),
  language_code: nullable({
    ...accountFields.language_code,
    description:
      'Your language and region. The console, which is in English, shows dates and numbers as that region does; null: as the browser does.',
  }),
  time_zone: nullable({
    ...accountFields.time_zone,
    description: 'In which the console shows you times; null: that of the account.',
  }),
};

const notices = {
  messages: Type.Boolean({ description: 'A chat message or an SMS came in.' }),
  missed_calls: Type.Boolean({ description: 'Nobody answered an incoming call.' }),
};
const notificationsOf =
  'What the console tells you of by a notification of the browser while you look at something else.';

export const ProfilePatch = Type.Partial(
  Type.Object({
    ...writable,
    notifications: Type.Partial(Type.Object(notices), {
      title: 'NotificationsPatch',
      description: `${notificationsOf} What is left out stays as it is.`,
    }),
  }),
  { title: 'ProfilePatch' },
);
export type ProfilePatch = Static<typeof ProfilePatch>;
export interface Notifications {
  messages: boolean;
  missed_calls: boolean;
}

export const Profile = Type.Object(
  {
    uuid: Uuid(),
    username: Type.String(),
    ...writable,
    notifications: Type.Object(notices, { title: 'Notifications', description: notificationsOf }),
    role: nullable(Type.String({ description: 'The role; null: the scopes were given one by one.' })),
    scopes: Type.Array(Type.String()),
    must_change_password: Type.Boolean({
      description: 'The password was printed at the first start; the console asks for another.',
    }),
    created: Timestamp(),
    last_sign_in: nullable(Timestamp()),
  },
  { title: 'Profile' },
);

export const PasswordChange = Type.Object(
  {
    current_password: Type.String({ minLength: 1, maxLength: 1000, description: 'The password of now.' }),
    new_password: { ...password, description: 'At least 10 characters, not the username, and not a common password.' },
  },
  { title: 'PasswordChange' },
);
export type PasswordChange = Static<typeof PasswordChange>;

export const OwnSession = Type.Object(
  {
    uuid: Uuid(),
    kind: TokenKind,
    current: Type.Boolean({ description: 'Whether it is the one that asks.' }),
    created: Timestamp(),
    expires: nullable(Timestamp()),
    last_used: nullable(Timestamp('To the minute.')),
    last_used_address: nullable(Type.String({ description: 'The IP address it was last used from.' })),
  },
  { title: 'OwnSession' },
);
export const OwnSessionPage = PageOf(OwnSession, 'OwnSessionPage');

export const presentProfile = (row: UserRow) => ({
  uuid: row.uuid,
  username: row.username,
  full_name: row.full_name,
  language_code: row.language_code,
  time_zone: row.time_zone,
  notifications: { messages: false, missed_calls: false, ...(row.notifications as Partial<Notifications>) },
  role: row.role,
  scopes: row.scopes,
  must_change_password: row.must_change_password,
  created: row.created,
  last_sign_in: row.last_sign_in,
});

export const presentOwnSession = (row: TokenRow, currentId: string) => ({
  uuid: row.uuid,
  kind: row.kind,
  current: row.uuid === currentId,
  created: row.created,
  expires: row.expires,
  last_used: row.last_used,
  last_used_address: row.last_used_address,
});
