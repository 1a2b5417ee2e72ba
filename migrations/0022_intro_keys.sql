-- What changes or is read with every click stands by itself, in narrow rows: when a link was last opened and what matching
-- compares in intro_keys, where a link leads in links. The wide chat_intros is read only once an intro was found.

create table intro_keys (
  account_id      uuid not null,
  -- Of intros that are not deleted
  chat_intro      uuid not null,
  chatapp_account uuid not null,
  -- What an inbound text is compared with: 128 bits of a hash of the expected text as the link fills it in, and reference_id,
  -- both normalised (NFKC, case, white space). null: there is nothing to compare with.
  expected_hash   uuid,
  reference_key   text collate "C",
  -- When a person last opened the link, by the time of the sender's carrier. In no index: so opening a link writes one page
  -- and no index (a HOT update).
  opened_at       timestamptz,
  -- Whether another intro of the number has, or had, the same text or reference. Only then does it matter which was opened
  -- last, and ranked_at, which the indexes hold, follows opened_at.
  shared          boolean not null default false,
  ranked_at       timestamptz,
  primary key (account_id, chat_intro),
  foreign key (account_id, chat_intro) references chat_intros on delete cascade
  -- Room on each page for other versions of a few of its rows.
) with (fillfactor = 80);

insert into intro_keys (account_id, chat_intro, chatapp_account, expected_hash, reference_key, opened_at, shared, ranked_at)
select account_id, uuid, chatapp_account, expected_hash, reference_key, opened_at, shared, case when shared then opened_at end
from (
  select account_id, uuid, chatapp_account, reference_key, opened_at,
    encode(substr(decode(translate(expected_hash, '-_', '+/') || '=', 'base64'), 1, 16), 'hex')::uuid as expected_hash,
    expected_hash is not null and count(*) over (partition by account_id, chatapp_account, expected_hash) > 1
      or reference_key is not null and count(*) over (partition by account_id, chatapp_account, reference_key) > 1 as shared
  from chat_intros where deleted_at is null
) as intro;

-- Of the intros that fit, the one whose link was opened last wins, then the newest. The winner stands first in these
-- indexes, so it is found at the same cost however many intros share one text. By its code an intro is found through links.
create index intro_keys_expected on intro_keys
  (account_id, chatapp_account, expected_hash, ranked_at desc nulls last, chat_intro desc) where expected_hash is not null;
create index intro_keys_reference on intro_keys
  (account_id, chatapp_account, reference_key, ranked_at desc nulls last, chat_intro desc) where reference_key is not null;

-- reference_key stays: lists are filtered by it.
drop index chat_intros_expected, chat_intros_reference, chat_intros_shortcode;
alter table chat_intros drop column expected_hash, drop column opened_at;

-- Where the link of an intro leads, ready-made: the chat of that number, with that text. null: nowhere any more, or, for one
-- side of a session, to be found out when it is opened.
alter table links add column chatapp_account uuid, add column chat_number text, add column chat_text text;

-- As src/domains/intros/render.ts fills in texts.
create function pg_temp.fill(template text, variables jsonb) returns text language plpgsql as $$
declare
  placeholder constant text := '\{\{[^{}]*[^{}\s][^{}]*\}\}';
  filled text := '';
  rest text := template;
  found text := regexp_substr(rest, placeholder);
begin
  while found is not null loop
    filled := filled || left(rest, strpos(rest, found) - 1)
      || coalesce(variables ->> regexp_replace(found, '^\{\{\s*|\s*\}\}$', '', 'g'), '');
    rest := substr(rest, strpos(rest, found) + length(found));
    found := regexp_substr(rest, placeholder);
  end loop;
  return filled || rest;
end $$;

update links as link set chatapp_account = intro.chatapp_account, chat_number = intro.chatapp_number,
  chat_text = left(pg_temp.fill(intro.expected_message_template,
    case when reference_id is null then '{}' else jsonb_build_object('reference_id', reference_id) end || coalesce((
      select jsonb_object_agg(key, value) from json_each_text(intro.extra_variable_data) where value <> ''), '{}')), 4096)
from chat_intros as intro
where link.kind = 'INTRO' and intro.account_id = link.account_id and intro.uuid = link.chat_intro
  and intro.deleted_at is null;

drop function pg_temp.fill;
