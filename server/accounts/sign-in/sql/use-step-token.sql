-- Uses a sign-in step up. Only one of several concurrent requests gets the row.
update signin_step set used_at = now() where token_hash = ${token_hash} and used_at is null returning user_id
