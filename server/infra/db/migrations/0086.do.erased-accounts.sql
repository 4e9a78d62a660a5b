-- When the erasure of a closed account's personal data began, and when it was over.
alter table app_user
  add column erasing_since timestamptz,
  add column erased_at timestamptz;
create index app_user_to_erase_idx on app_user (deactivated_at) where state = 'deactivated' and erased_at is null;

-- E-mail addresses, phone numbers and identities of erased accounts, as keyed hashes: they stay reserved, and name nobody.
create table reserved_contact (
  contact_hash bytea primary key,
  reserved_at timestamptz not null default now()
);
