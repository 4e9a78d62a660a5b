-- Returns what Stripe is told about a customer: the address only if it is verified.
select case when email_verified then email end as email from app_user where id = ${user_id} and state = 'active'
