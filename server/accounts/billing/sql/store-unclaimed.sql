-- Stores a paying customer without a verified account, with the address at Stripe. A customer of an account is not
-- stored.
insert into unclaimed_customer (customer_id, email)
select ${customer_id}, lower(${email})
where not exists (select from stripe_customer where customer_id = ${customer_id})
on conflict (customer_id) do update set email = excluded.email, created_at = now()
