-- Imports ask whether a listing is one that we put up, by our key or by its id.
create index listing_intent_key_idx on listing_intent (user_id, seller_account_uid, external_key) where kind = 'list';
create index listing_intent_listing_idx on listing_intent (user_id, seller_account_uid, listing_id) where kind = 'list';
