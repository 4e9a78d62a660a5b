-- Options of the platform that the request gave for this item, as `list/` takes them.
alter table bulk_item add column options jsonb;
