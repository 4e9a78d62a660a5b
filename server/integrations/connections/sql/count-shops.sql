-- How many shops of a platform an account has named, connected or not, and whether this one is among them.
select count(*)::integer as count, coalesce(bool_or(external_id = ${external_id}), false) as is_known
from seller_account
where user_id = ${user_id} and platform = ${platform}
