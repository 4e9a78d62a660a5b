-- Counts an attempt at a code before it is checked. No row if none is left, or there is no such code.
update phone_challenge set tries = tries + 1
where token_hash = ${token_hash} and purpose = ${purpose}
  and used_at is null and expires_at > now() and tries < ${max_tries}
returning token_hash, phone_number, code_mac, email, password_hash, first_name, last_name
