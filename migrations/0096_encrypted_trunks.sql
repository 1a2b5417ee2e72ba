-- Trunks over TLS: whose certificate is good, and whether speech is encrypted. Keys of speech are written in the signalling, so that only
-- one that is encrypted itself can carry them.
alter table sip_trunks
  add column srtp text not null default 'off',
  add column tls_verify boolean not null default true,
  add column tls_ca text;
