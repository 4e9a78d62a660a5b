-- Deletes the links that were mailed to a user, of one purpose or of all.
delete from mailbox_token where user_id = ${user_id} and (${purpose}::text is null or purpose = ${purpose})
