-- The keys that a database was used with. The newest is its key; older ones belong to a rotation that is under way or done.
-- `sealed_check` proves that a process has the key, `sealed_hash_key` is the key of keyed hashes under it. A row without one
-- was made before hash keys were kept: its hash key is SECRET_KEY itself.
create table secret_key (
  key_id bytea primary key,
  sealed_check bytea not null,
  sealed_hash_key bytea,
  adopted_at timestamptz not null default clock_timestamp()
);
insert into secret_key (key_id, sealed_check, adopted_at)
  select substr(sealed, 2, 4), sealed, made_at from secret_key_check;
drop table secret_key_check;
-- Older builds read the table that is gone.
update schema_compatibility set oldest_build = 120;
