-- Allows an identity token to be used again.
delete from used_identity_token where token_hash = ${token_hash}
