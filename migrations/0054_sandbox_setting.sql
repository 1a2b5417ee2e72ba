-- How far an account uses the sandbox: everything unknown is taken into use (adopt), only what was registered on it is (registered),
-- or nothing is (off). `live_since` says when its first live sender, SMS link or trunk was registered: that happens once.
alter table accounts
  add column sandbox text not null default 'adopt' check (sandbox in ('adopt', 'registered', 'off')),
  add column live_since timestamptz;

-- Whether nobody registered it: it was taken into use by the first message.
alter table chatapp_accounts add column adopted boolean not null default false;
alter table sms_links add column adopted boolean not null default false;

-- Adopted ones have no settings of their own. One that somebody registered without any looks the same: it can be registered again.
update chatapp_accounts set adopted = true
where carrier = 'sandbox' and name = '' and language_code is null and messages_per_second = 80;
update sms_links set adopted = true where carrier = 'sandbox' and name = 'sandbox';

update accounts set sandbox = 'registered', live_since = now()
where exists (select from chatapp_accounts where account_id = accounts.uuid and carrier <> 'sandbox')
  or exists (select from sms_links where account_id = accounts.uuid and carrier <> 'sandbox')
  or exists (select from sip_trunks where account_id = accounts.uuid);

-- A number that changes its carrier keeps who wrote to it; but the new carrier has not heard them, and lets only templates through.
alter table chat_people add column window_closed boolean not null default false;
