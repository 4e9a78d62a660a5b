-- Replaces all recovery codes. `hashes`: 32 bytes each.
with ended as (
  delete from recovery_code where user_id = ${user_id}
)
insert into recovery_code (user_id, code_hash)
select ${user_id}, code_hash from unnest(${hashes}::bytea[]) as fresh (code_hash)
