-- Audio files: what an account lets its callers hear. The MP3 as it came is in DATA_DIR/audio, what calls play of it in
-- DATA_DIR/sounds.

create table audio_files (
  account_id  uuid not null references accounts on delete cascade,
  uuid        uuid not null,
  -- Never a uuid itself: numbers name a file by either
  name        text collate "C" not null,
  filename    text not null,
  size        bigint not null,
  -- Of the MP3, in hex
  sha256      text not null,
  duration_ms integer not null,
  created     timestamptz not null default now(),
  primary key (account_id, uuid)
);
create unique index audio_files_name on audio_files (account_id, name);

-- The audio files that a number names, with the account, so that one index finds the numbers that use a file. A uuid may be
-- written in capitals.
create function number_audio_files(account_id uuid, files text[])
returns text[] language sql immutable parallel safe as $$
  select array(
    select account_id::text || ' ' || case when file ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then lower(file) else file end
    from unnest(files) file where file <> '')
$$;
-- Without a list of pending entries: every file of a page is looked up in it, and each look would read the whole list (7 ms with
-- 30,000 numbers).
create index numbers_audio_files on numbers using gin (number_audio_files(account_id,
  array[whisper_file, record_call_file, keep_number_file, voicemail_lite_file, capture_digits_file]))
  with (fastupdate = off)
  where released_at is null and whisper_file || record_call_file || keep_number_file || voicemail_lite_file || capture_digits_file <> '';
