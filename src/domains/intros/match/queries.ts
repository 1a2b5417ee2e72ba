import { uuidArray } from '../../../platform/db/arrays.ts';
import { type Db, isDistributed, prepared } from '../../../platform/db/connect/pool.ts';
import { findIntrosOfCodes } from '../../links/index.ts';

/** What is known of an inbound message, in the forms that are compared. null: that is unknown. */
export interface Clues {
  chatappAccount: string;
  digits: string | null;
  flowToken: string | null;
  textHash: string | null;
  references: string[];
  codes: string[];
  quoted: string | null;
}

export type FoundRow = { place: number; chat_intro: string } & (
  | { how: 'EXPECTED_TEXT' | 'REFERENCE' | 'SHORTCODE'; session: null }
  | { how: 'FLOW_TOKEN' | 'QUOTE' | 'OPEN_SESSION' | 'NOTICE' | 'LAST_NOTICE'; session: string }
);

/** Somebody with more open sessions than this is a machine; what it quotes is looked for among the latest. */
const mostSessions = 200;

/**
 * Each way to find an intro is a few steps down an index at whose first entry the winner stands, so neither the number of
 * intros nor how many of them fit matters. Two of each say whether there is a tie; three of all, because one intro may be
 * named by its reference and by its code. A code is one intro's alone, so it counts for more than a reference. References and codes come as lines: once normalised they hold no line ends.
 * "(select $2)" hides the length of the arrays from the planner, which would otherwise plan anew for every batch: 0.7 ms a
 * message instead of 1.5.
 */
const textOf = (links: string, hidden: (parameter: string) => string): string => `
  select wanted.place, found.how, found.chat_intro, found.session
  from unnest(${['$2::uuid[]', '$3::text[]', '$4::text[]', '$5::uuid[]', '$6::text[]', '$7::text[]', '$8::uuid[]'].map(hidden).join()})
    with ordinality
    as wanted (chatapp_account, digits, flow_token, text_hash, refs, codes, quoted, place)
  cross join lateral (
    (select 1 as rank, 'FLOW_TOKEN' as how, chat_intro, uuid as session, null::timestamptz as opened_at
    from intro_sessions
    where account_id = $1 and flow_token = wanted.flow_token and open
      and chatapp_account = wanted.chatapp_account and aparty_digits = wanted.digits
    limit 1)
    union all
    (select 1, 'NOTICE', session.chat_intro, session.uuid, null
    from intro_notices as notice
    join intro_sessions as session on session.account_id = $1 and session.uuid = notice.session and session.open
    where notice.account_id = $1 and notice.message = wanted.quoted
      and notice.chatapp_account = wanted.chatapp_account and notice.to_digits = wanted.digits)
    union all
    (select 2, 'EXPECTED_TEXT', chat_intro, null, opened_at
    from intro_keys
    where account_id = $1 and chatapp_account = wanted.chatapp_account and expected_hash = wanted.text_hash
    order by ranked_at desc nulls last, chat_intro desc
    limit 2)
    union all
    select 4, 'REFERENCE', intro.chat_intro, null, intro.opened_at
    from string_to_table(wanted.refs, E'\\n') as reference (key)
    cross join lateral (
      select chat_intro, opened_at
      from intro_keys
      where account_id = $1 and chatapp_account = wanted.chatapp_account and reference_key = reference.key
      order by ranked_at desc nulls last, chat_intro desc
      limit 2
    ) as intro
    union all
    select 3, 'SHORTCODE', intro.chat_intro, null, intro.opened_at
    from string_to_table(wanted.codes, E'\\n') as code (key)
    cross join lateral (
      select intro_keys.chat_intro, opened_at
      from ${links}
      join intro_keys using (account_id, chat_intro)
      where links.shortcode = code.key and links.account_id = $1 and links.kind = 'INTRO'
        and intro_keys.account_id = $1 and intro_keys.chatapp_account = wanted.chatapp_account
      limit 1
    ) as intro
    union all
    (select 5, 'QUOTE', chat_intro, uuid, null
    from (
      select chat_intro, uuid, reply_message, repeat_message, aparty_message, last_activity_at
      from intro_sessions
      where account_id = $1 and chatapp_account = wanted.chatapp_account and aparty_digits = wanted.digits and open
        and wanted.quoted is not null
      order by last_activity_at desc
      limit ${mostSessions}
    ) as session
    where wanted.quoted in (reply_message, repeat_message, aparty_message)
    order by last_activity_at desc
    limit 1)
    union all
    (select 6, 'OPEN_SESSION', chat_intro, uuid, null
    from intro_sessions
    where account_id = $1 and chatapp_account = wanted.chatapp_account and aparty_digits = wanted.digits and open
    order by last_activity_at desc
    limit 1)
    union all
    (select 7, 'LAST_NOTICE', session.chat_intro, session.uuid, null
    from (
      select session from intro_notices
      where account_id = $1 and chatapp_account = wanted.chatapp_account and to_digits = wanted.digits
      order by message desc
      limit 1
    ) as notice
    join intro_sessions as session on session.account_id = $1 and session.uuid = notice.session and session.open)
    order by rank, opened_at desc nulls last, chat_intro desc, how
    limit 3
  ) as found
  order by wanted.place, found.rank, found.opened_at desc nulls last, found.chat_intro desc, found.how`;

export const statement = textOf('links', (parameter) => `(select ${parameter})`);

const find = prepared<FoundRow>('intros.match', statement);

/** Links are in other shards than intros: those that are named are looked up first, and handed over in $9 and $10. */
const findInShard = prepared<FoundRow>(
  'intros.match-in-shard',
  textOf(
    `(select $1::uuid as account_id, 'INTRO' as kind, shortcode, chat_intro
        from unnest($9::text[], $10::uuid[]) as named (shortcode, chat_intro)) as links`,
    (parameter) => parameter,
  ),
);

/** What each message may be meant for, by place (from 1), the best first; at most three for each. */
export async function findMeant(db: Db, accountId: string, wanted: Clues[]): Promise<FoundRow[]> {
  const parameters = parametersOf(accountId, wanted);
  if (!isDistributed(db)) return find(db, parameters);
  const codes = wanted.flatMap((one) => one.codes);
  const links = codes.length === 0 ? [] : await findIntrosOfCodes(db, accountId, codes);
  return findInShard(db, [
    ...parameters,
    links.map(({ shortcode }) => shortcode),
    links.map(({ chat_intro }) => chat_intro),
  ]);
}

export const parametersOf = (accountId: string, wanted: Clues[]): unknown[] => [
  accountId,
  uuidArray(wanted.map(({ chatappAccount }) => chatappAccount)),
  wanted.map(({ digits }) => digits),
  wanted.map(({ flowToken }) => flowToken),
  wanted.map(({ textHash }) => textHash),
  wanted.map(({ references }) => lines(references)),
  wanted.map(({ codes }) => lines(codes)),
  wanted.map(({ quoted }) => quoted),
];

const lines = (words: string[]): string | null => (words.length === 0 ? null : words.join('\n'));
