-- Photos of a match that an import did not compare in time are compared afterwards, by the due time of each.
alter table import_item
  add column match_photos text check (match_photos in ('comparing', 'unread')),
  add column photos_due_at timestamptz,
  add column photo_tries smallint not null default 0;
create index import_item_photos_idx on import_item (user_id, photos_due_at)
  where status = 'conflict' and match_photos = 'comparing';
