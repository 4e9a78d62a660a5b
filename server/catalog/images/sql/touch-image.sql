-- Keeps an image that is uploaded again for another week.
update image set used_at = now() where user_id = ${user_id} and uid = ${uid}
