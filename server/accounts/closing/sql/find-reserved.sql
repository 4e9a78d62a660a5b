-- Whether one of these contacts belonged to an account that was erased.
select exists (select from reserved_contact where contact_hash = any(${hashes}::bytea[])) as is_reserved
