-- Returns the data of a customer for Stripe, with the address only if it is verified.
select case when email_verified then email end as email from app_user where id = ${user_id} and state = 'active'
