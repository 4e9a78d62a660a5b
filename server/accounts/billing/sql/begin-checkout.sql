-- Returns a user's checkout, and begins it if there is none. No row if the account is closed.
insert into stripe_checkout (user_id, attempt)
select holder.id, ${attempt}
from (select id from app_user where id = ${user_id} and state = 'active' for share) holder
on conflict (user_id) do update set attempt = stripe_checkout.attempt
returning attempt, customer_id, session_id
