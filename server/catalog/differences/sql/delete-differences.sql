-- Deletes differences whose values an item has taken.
delete from listing_difference where user_id = ${user_id} and uid = any(${uids}::text[])
