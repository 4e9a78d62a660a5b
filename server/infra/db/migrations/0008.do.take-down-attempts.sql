-- The one attempt of an extension to end a listing by itself: its id, when it began and ended, what it pressed and saw.
alter table extension_task add column attempt jsonb;
create index extension_task_attempt_idx on extension_task (user_id, uid) where attempt is not null;
