-- What a listing's order chose for the shop: remembered once the listing is up, however long that takes.
alter table listing_intent add column to_remember jsonb;
