-- Reserves the contacts of an erased account.
insert into reserved_contact (contact_hash) select unnest(${hashes}::bytea[]) on conflict do nothing
