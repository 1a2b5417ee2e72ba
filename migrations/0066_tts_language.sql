-- The language that a text is spoken in, as BCP 47 writes it: de, pt-BR.
alter table numbers add column tts_language text not null default 'en';
alter table calls add column tts_language text not null default 'en';
