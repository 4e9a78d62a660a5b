-- When a listing was first read as on offer by an import: what was ordered well before that bought something else.
alter table channel_listing add column on_offer_since timestamptz;
