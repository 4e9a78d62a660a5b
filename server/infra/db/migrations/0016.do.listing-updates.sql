-- Operations that change a live listing. `fields` names the content to send; a price is sent if `price_minor` is given.
-- Rows of earlier releases have the kind 'reprice' and no fields.
alter table listing_operation
  add column fields text[] check (fields <@ array['title', 'description', 'images']),
  drop constraint listing_operation_kind_check,
  add constraint listing_operation_kind_check check (kind in ('list', 'delist', 'update', 'reprice')),
  drop constraint listing_operation_check,
  add constraint listing_operation_check check (kind <> 'delist' or listing_id is not null);
