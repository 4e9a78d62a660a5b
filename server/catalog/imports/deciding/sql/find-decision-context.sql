-- Returns the defaults of a seller account and its user for listings that lack something.
select account.url as shop_url, settings.shipping_policy_url, settings.returns_policy_url,
  coalesce(settings.sku_required, false) as sku_required
from seller_account account
left join seller_settings settings on settings.user_id = account.user_id
where account.user_id = ${user_id} and account.uid = ${seller_account_uid}
