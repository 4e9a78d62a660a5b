-- Returns a seller's settings.
select shipping_policy_url, returns_policy_url, default_currency, sku_required, alert_mails, push_kinds, price_rules
from seller_settings
where user_id = ${user_id}
