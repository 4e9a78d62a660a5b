-- How a listing is sold, as far as that decides what can be done with it (ListingTerms in shared/listing.ts): an auction
-- with its bids and end, the marketplace's site, variations, a hold. Null where nothing was read.
alter table channel_listing add column terms jsonb;
