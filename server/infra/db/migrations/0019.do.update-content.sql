-- The content that an update sends in place of the item's, by field. Undoing an overwritten listing sends what was there.
alter table listing_operation add column content jsonb;
