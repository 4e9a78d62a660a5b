-- Uses up the code of a 30-second step. Only one of several concurrent requests gets the row; an older or equal
-- step gets none.
update totp_secret set last_step = ${step}
where user_id = ${user_id} and confirmed_at is not null and last_step < ${step}
returning user_id
