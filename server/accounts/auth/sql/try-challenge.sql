-- Counts a try of a code before it is looked at; no row when there is none left, or nothing to try.
update phone_challenge set tries = tries + 1
where token_hash = ${token_hash} and purpose = ${purpose}
  and used_at is null and expires_at > now() and tries < ${max_tries}
returning token_hash, phone_number, code_mac, email, password_hash, first_name, last_name
