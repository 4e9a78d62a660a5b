-- Replaces a seller's settings. No row if the account is closed.
insert into seller_settings (
  user_id, shipping_policy_url, returns_policy_url, default_currency, sku_required, alert_mails, push_kinds, price_rules
)
select id, ${shipping_policy_url}, ${returns_policy_url}, ${default_currency}, ${sku_required}, ${alert_mails}::text[],
  ${push_kinds}::text[], ${price_rules:json}
from (select id from app_user where id = ${user_id} and state = 'active' for share) holder
on conflict (user_id) do update set
  shipping_policy_url = excluded.shipping_policy_url, returns_policy_url = excluded.returns_policy_url,
  default_currency = excluded.default_currency, sku_required = excluded.sku_required,
  alert_mails = excluded.alert_mails, push_kinds = excluded.push_kinds, price_rules = excluded.price_rules, updated_at = now()
returning user_id
