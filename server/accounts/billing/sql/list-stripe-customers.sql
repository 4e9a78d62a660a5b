-- Returns a user's customers at Stripe, with the payment page that may be open.
select coalesce(array_agg(customer_id order by customer_id), '{}') as customer_ids,
  (select session_id from stripe_checkout where user_id = ${user_id}) as session_id
from stripe_customer
where user_id = ${user_id}
