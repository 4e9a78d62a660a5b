-- Returns a user's passkeys for the browser, so that it makes no second one in the same place.
select credential_id as id, transports from passkey where user_id = ${user_id}
