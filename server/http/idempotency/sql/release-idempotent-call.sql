-- Releases the key of a failed call, which changed nothing, for another attempt. Waits for a response in progress.
delete from idempotent_call where user_id = ${user_id} and key = ${key} and lease = ${lease}
