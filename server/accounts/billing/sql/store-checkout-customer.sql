-- Stores the customer that was made for a user at Stripe. The first one stays.
update stripe_checkout set customer_id = coalesce(customer_id, ${customer_id})
where user_id = ${user_id}
returning customer_id
