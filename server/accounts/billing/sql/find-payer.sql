-- What a customer for this user is to have at Stripe: their address only where it is proven to be theirs.
select case when email_verified then email end as email from app_user where id = ${user_id} and state = 'active'
