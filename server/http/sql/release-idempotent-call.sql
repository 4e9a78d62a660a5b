-- A call that failed changed nothing: its key may be tried again. One that is just being answered is waited for.
delete from idempotent_call where user_id = ${user_id} and key = ${key} and lease = ${lease}
