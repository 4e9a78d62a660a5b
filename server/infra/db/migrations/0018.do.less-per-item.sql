-- The words for finding the same item elsewhere are made when an import needs them, so items need not carry them.
alter table inventory_item drop column search;
-- The decided items of an import leave as a whole, so nothing is trimmed before.
drop index import_item_trim_idx;
alter table import_item drop column is_trimmed;
alter table import_count add column removed_imported integer not null default 0;
-- Every import is looked at once more, so that its decided items leave, too.
update import_job set pruned_at = null where pruned_at is not null;
-- By default a table is vacuumed once a fifth of it has changed. A fifth of a hundred million events is a long pause of
-- the cleanup and its room; a fiftieth is vacuumed in small steps. The smaller tables of queues keep the default.
alter table event set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);
alter table import_item set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
alter table inventory_item set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
alter table channel_listing set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
alter table listing_operation set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
alter table webhook_delivery set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
update schema_compatibility set oldest_build = 18;
