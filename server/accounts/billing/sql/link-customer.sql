-- Links a Stripe customer to an active user. An existing owner stays. Returns a row if the customer is theirs now.
insert into stripe_customer (user_id, customer_id)
select id, ${customer_id} from app_user where id = ${user_id} and state = 'active'
on conflict (customer_id) do update set customer_id = excluded.customer_id
where stripe_customer.user_id = excluded.user_id
returning user_id
