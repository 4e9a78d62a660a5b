-- Price changes queued by a release before the first one become updates, which every release since sends.
update listing_operation set kind = 'update', fields = coalesce(fields, '{}') where kind = 'reprice';
alter table listing_operation drop constraint listing_operation_kind_check;
alter table listing_operation add constraint listing_operation_kind_check check (kind in ('list', 'delist', 'update')) not valid;
alter table listing_operation validate constraint listing_operation_kind_check;
