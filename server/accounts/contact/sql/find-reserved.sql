-- Returns whether one of these contacts belonged to an erased account.
select exists (select from reserved_contact where contact_hash = any(${hashes}::bytea[])) as is_reserved
