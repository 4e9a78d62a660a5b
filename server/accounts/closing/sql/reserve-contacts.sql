-- Keeps contacts of an erased account reserved.
insert into reserved_contact (contact_hash) select unnest(${hashes}::bytea[]) on conflict do nothing
