-- A conflict that the seller skipped stays skipped in later imports while listing and conflict are as they were; there the
-- seller may still decide otherwise.
alter table import_item add column is_kept_skip boolean not null default false;
create index import_item_skip_idx on import_item (user_id, external_listing_id, uid)
  where resolution in ('skip', 'skip_all');
