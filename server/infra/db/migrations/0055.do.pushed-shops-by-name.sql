-- A push names a shop by its name, also one that must be connected again: by its index, where it went through all shops of
-- the platform.
drop index seller_account_name_idx;
create index seller_account_name_idx on seller_account (platform, external_name) where status <> 'revoked';
