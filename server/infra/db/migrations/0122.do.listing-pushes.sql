-- When a marketplace last told that listings of a shop changed there: they are compared soon, not within the hour.
alter table seller_account add column listings_changed_at timestamptz;
