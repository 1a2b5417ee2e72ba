import { type RawBuilder, sql } from 'kysely';

/** What is known of a person, part by part: where it is, and which columns tell of them. */
export interface Part {
  name: string;
  /** The table, under the name `row`. */
  from: RawBuilder<unknown>;
  /** A column that tells rows from each other, in the order of time. */
  key: string;
  columns: RawBuilder<unknown>;
  /** The account is asked for besides. */
  where(person: Person): RawBuilder<unknown>;
  /** Its rows are rows of another part, too. */
  isView?: boolean;
}

export interface Person {
  digits: string;
  /** What stands for the digits after the person was erased. */
  hash: string;
}

/** The other side is the person, whoever we are in it. */
const isParty = ({ digits }: Person) => sql`
  (row.direction = 'OUTBOUND' and row.to_digits = ${digits} or row.direction = 'INBOUND' and row.from_digits = ${digits})`;

const stateOf = (states: string) => sql`
  (select state.status from ${sql.table(states)} as state where state.account_id = row.account_id and state.uuid = row.uuid)
    as status`;

const columnsOf = (names: string) => sql.raw(names.trim().replaceAll(/(\w+)/g, 'row.$1'));

const calls = {
  from: sql`calls as row`,
  key: 'uuid',
  columns: columnsOf(
    `uuid, direction, from_number, to_number, status, result, tts, digits, started_at, answered_at, ended_at, talk_seconds,
    voicemail, recording_seconds, notes, meta_data, created`,
  ),
};

/** In the order in which an export tells them. */
export const parts: readonly Part[] = [
  {
    name: 'contacts',
    from: sql`contacts as row`,
    key: 'uuid',
    columns: columnsOf('uuid, phone_number, name, language_code, time_zone, attributes, created, modified'),
    where: ({ digits }) => sql`row.digits = ${digits}`,
  },
  {
    name: 'opt_outs',
    from: sql`opt_outs as row`,
    key: 'uuid',
    columns: columnsOf('uuid, phone_number, channel, source, text, created'),
    where: ({ digits, hash }) => sql`row.digits in (${digits}, ${hash})`,
  },
  {
    name: 'opt_out_events',
    from: sql`events as row`,
    key: 'uuid',
    columns: columnsOf('uuid, data, at'),
    where: ({ digits, hash }) => sql`row.subject_type = 'opt_out' and row.data ->> 'digits' in (${digits}, ${hash})`,
  },
  {
    name: 'conversations',
    from: sql`chat_people as row`,
    key: 'last_inbound',
    columns: columnsOf('chatapp_account, number, user_id, name, last_inbound_at'),
    where: ({ digits }) => sql`row.digits = ${digits}`,
  },
  {
    name: 'messages',
    from: sql`messages as row`,
    key: 'uuid',
    columns: sql`${columnsOf(
      `uuid, direction, type, from_chatapp_number, to_chatapp_number, message_data, meta_data, context_data, chat_intro,
      campaign_log, created`,
    )}, ${stateOf('message_states')}`,
    where: isParty,
  },
  {
    name: 'sms',
    from: sql`sms as row`,
    key: 'uuid',
    columns: sql`${columnsOf(
      'uuid, direction, from_number, to_number, text, keyword, meta_data, campaign_log, created',
    )}, ${stateOf('sms_states')}`,
    where: isParty,
  },
  { name: 'calls', ...calls, where: isParty },
  {
    name: 'recordings',
    ...calls,
    where: (person) => sql`${isParty(person)} and row.recording_seconds is not null and not row.voicemail`,
    isView: true,
  },
  {
    name: 'voicemails',
    ...calls,
    where: (person) => sql`${isParty(person)} and row.recording_seconds is not null and row.voicemail`,
    isView: true,
  },
  {
    name: 'sessions',
    from: sql`intro_sessions as row`,
    key: 'uuid',
    columns: columnsOf(
      `uuid, chat_intro, aparty_number, aparty_name, status, variables, started_at, replied_at, notified_at, connected_at,
      last_activity_at, created`,
    ),
    where: ({ digits }) => sql`row.aparty_digits = ${digits}`,
  },
  {
    name: 'intro_events',
    from: sql`events as row`,
    key: 'uuid',
    columns: sql`row.uuid, row.kind as event, row.data, row.at`,
    where: ({ digits }) => sql`row.subject_type = 'chat_intro' and row.data ->> 'digits' = ${digits}`,
  },
  {
    name: 'leads',
    from: sql`leads as row`,
    key: 'uuid',
    columns: columnsOf(
      'uuid, chatapp_number, phone_number, name, source, chat_intro, data, answers, status, owner, notes, created, modified',
    ),
    where: ({ digits }) => sql`row.digits = ${digits}`,
  },
  {
    name: 'campaigns',
    // Launch by launch: each is one look into the key, and there is no other index.
    from: sql`campaign_logs as launch cross join lateral (
      select * from campaign_recipients as recipient
      where recipient.account_id = launch.account_id and recipient.campaign_log = launch.uuid) as row`,
    key: 'campaign_log',
    columns: columnsOf('campaign_log, state, reason, message, replied_at, created'),
    where: ({ digits }) => sql`launch.account_id = row.account_id and row.digits = ${digits}`,
  },
];
