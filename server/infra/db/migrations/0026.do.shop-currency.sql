-- The currency that a shop sells in by default. Unknown until the platform next identifies the shop.
alter table seller_account add column currency text check (currency ~ '^[A-Z]{3}$');
