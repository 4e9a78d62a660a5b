-- Records that the holder of a session has just proved their identity.
update bearer_token set verified_at = now() where user_id = ${user_id} and token_hash = ${token_hash} returning uid
