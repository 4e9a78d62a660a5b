-- A new price may be ordered for a listing that is just being put up, and has no id yet.

alter table listing_intent drop constraint listing_intent_check;
alter table listing_intent add constraint listing_intent_check check (kind in ('list', 'reprice') or listing_id is not null);
