-- What the browser is told of a user's passkeys, so that it makes no second one in the same place.
select credential_id as id, transports from passkey where user_id = ${user_id}
