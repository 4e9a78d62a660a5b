-- Ends the links of one purpose, or of all, that were sent to a user.
delete from mailbox_token where user_id = ${user_id} and (${purpose}::text is null or purpose = ${purpose})
