-- Closes an active account; its e-mail and phone number stay reserved.
update app_user set state = 'deactivated', deactivated_at = now()
where id = ${user_id} and state = 'active'
returning email, phone_number
