-- A shop belongs to one account where signing in at the platform has shown whose it is. Any account may name a shop that the
-- extension reads: naming proves nothing, and must not keep the owner out.
create unique index seller_account_proven_shop_key on seller_account (platform, external_id)
  where status <> 'revoked' and platform in ('ebay', 'etsy');
drop index seller_account_shop_key;
-- Pushes find a shop by its id.
create index seller_account_shop_idx on seller_account (platform, external_id) where status <> 'revoked';
