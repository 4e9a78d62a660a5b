-- An endpoint of its own user, not to be deleted until the transaction ends: to be asked last, since whoever ends it waits.
select uid from webhook_endpoint where user_id = ${user_id} and uid = ${uid} for key share
