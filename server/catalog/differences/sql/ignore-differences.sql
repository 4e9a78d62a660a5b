-- Hides differences until the platform's value changes again.
update listing_difference set state = 'ignored'
where user_id = ${user_id} and uid = any(${uids}::text[])
