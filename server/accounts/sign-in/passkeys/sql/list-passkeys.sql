-- Returns a user's passkeys, newest first.
select uid, name, created_at, last_used_at from passkey where user_id = ${user_id} order by created_at desc, uid
