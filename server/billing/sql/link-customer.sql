-- A Stripe customer is this active user's; who it belonged to before does not change.
insert into stripe_customer (user_id, customer_id)
select id, ${customer_id} from app_user where id = ${user_id} and state = 'active'
on conflict (customer_id) do nothing
returning user_id
