-- Which of its worker's claims has it, counted by the worker; 0 or null: one that was taken over from a dead worker. A claim whose
-- answer was lost, or whose hand-over failed, is known by its worker not having it in hand.
alter table message_states add column claim integer;
alter table sms_states add column claim integer;
alter table webhook_queue add column claim integer;
