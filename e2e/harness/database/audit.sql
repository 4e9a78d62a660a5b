-- Detects changes that the tables do not show later, in test databases only. Violations go to audit.broken, which the
-- invariant I9 reads.
create schema audit;
create table audit.broken (
  invariant text not null,
  what jsonb not null,
  at timestamptz not null default clock_timestamp()
);

-- I9: a single-use secret was used twice, or after its expiry.
create function audit.used_again() returns trigger language plpgsql as $$
begin
  insert into audit.broken (invariant, what)
  values ('I9', jsonb_build_object(
    'table', tg_table_name, 'used', new.used_at, 'used before', old.used_at, 'expired', new.expires_at
  ));
  return null;
end $$;
create trigger audit_used_again after update on mailbox_token for each row
  when (new.used_at is distinct from old.used_at and (old.used_at is not null or new.used_at > old.expires_at))
  execute function audit.used_again();
create trigger audit_used_again after update on phone_challenge for each row
  when (new.used_at is distinct from old.used_at and (old.used_at is not null or new.used_at > old.expires_at))
  execute function audit.used_again();
create trigger audit_used_again after update on oauth_state for each row
  when (new.used_at is distinct from old.used_at and (old.used_at is not null or new.used_at > old.expires_at))
  execute function audit.used_again();
create trigger audit_used_again after update on connect_ticket for each row
  when (new.used_at is distinct from old.used_at and (old.used_at is not null or new.used_at > old.expires_at))
  execute function audit.used_again();

-- As `npm run distribute` leaves these keys, since Citus has no `on update cascade` for a key that holds the user: statements
-- that move a listing or a line move what refers to it.
alter table listing_difference
  drop constraint listing_difference_user_id_seller_account_uid_listing_id_fkey,
  add constraint listing_difference_user_id_seller_account_uid_listing_id_fkey
    foreign key (user_id, seller_account_uid, listing_id)
    references channel_listing (user_id, seller_account_uid, listing_id) on delete cascade;
alter table sale
  drop constraint sale_user_id_order_uid_external_line_id_fkey,
  add constraint sale_user_id_order_uid_external_line_id_fkey
    foreign key (user_id, order_uid, external_line_id) references order_line (user_id, order_uid, external_line_id);
