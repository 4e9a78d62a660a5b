-- A paying customer whom no account proves to be, with the address that Stripe has; one that is an account's is not kept.
insert into unclaimed_customer (customer_id, email)
select ${customer_id}, lower(${email})
where not exists (select from stripe_customer where customer_id = ${customer_id})
on conflict (customer_id) do update set email = excluded.email, created_at = now()
