-- Replaces a seller's settings.
insert into seller_settings (user_id, shipping_policy_url, returns_policy_url, default_currency, sku_required)
values (${user_id}, ${shipping_policy_url}, ${returns_policy_url}, ${default_currency}, ${sku_required})
on conflict (user_id) do update set
  shipping_policy_url = excluded.shipping_policy_url, returns_policy_url = excluded.returns_policy_url,
  default_currency = excluded.default_currency, sku_required = excluded.sku_required, updated_at = now()
