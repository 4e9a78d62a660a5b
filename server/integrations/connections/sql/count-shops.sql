-- Counts an account's shops on a platform, connected or not, and returns whether this one is among them.
select count(*)::integer as count, coalesce(bool_or(external_id = ${external_id}), false) as is_known
from seller_account
where user_id = ${user_id} and platform = ${platform}
