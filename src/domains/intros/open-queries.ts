import { type Db, prepared } from '../../platform/db/pool.ts';
import type { LinkRow, NewLink } from '../links/index.ts';
import type { IntroRow } from './queries.ts';

type Link = Pick<
  LinkRow,
  'shortcode' | 'account_id' | 'chat_intro' | 'session' | 'single_use' | 'used_at' | 'expires'
> & { kind: NewLink['kind'] };
type Intro = Pick<IntroRow, 'chatapp_number' | 'expected_message_template' | 'reference_id' | 'extra_variable_data'>;

/** A link with what its intro says; a deleted intro has no carrier any more. */
export type LinkTarget = Link & Intro & { carrier: string | null };

const find = prepared<LinkTarget>(
  'intros.open',
  `select link.shortcode, link.account_id, link.kind, link.chat_intro, link.session, link.single_use, link.used_at,
    link.expires, intro.chatapp_number, intro.expected_message_template, intro.reference_id, intro.extra_variable_data,
    sender.carrier
  from unnest($1::text[]) as wanted (shortcode)
  join links as link on link.shortcode = wanted.shortcode
  left join chat_intros as intro
    on intro.account_id = link.account_id and intro.uuid = link.chat_intro and intro.deleted_at is null
  left join chatapp_accounts as sender
    on sender.account_id = intro.account_id and sender.uuid = intro.chatapp_account`,
);

/** Where links lead, in the order of their codes: whoever opens one has no token, so the account is not known yet. */
export async function findTargetsAnyAccount(db: Db, shortcodes: string[]): Promise<(LinkTarget | undefined)[]> {
  const rows = await find(db, [`{${shortcodes.join()}}`]);
  const byCode = new Map(rows.map((row) => [row.shortcode, row]));
  return shortcodes.map((code) => byCode.get(code));
}
