-- Returns the key pair of this server, if it has one.
select public_key, encrypted_private_key from web_push_key
