-- Calls are counted by kind of work, because each kind keeps back a part of a platform's day.
drop function if exists count_platform_calls(text, text, text, timestamptz, integer);
drop function if exists platform_day_frees_at(text, text, text, timestamptz, integer);
alter table platform_quota_slot add column priority text not null default '';
alter table platform_quota_slot drop constraint platform_quota_slot_pkey;
alter table platform_quota_slot
  add constraint platform_quota_slot_pkey primary key (platform, app, shop, slot, priority);
