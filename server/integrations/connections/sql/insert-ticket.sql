-- Inserts a ticket and deletes the account's old ones. The caller has locked the account.
with swept as (
  delete from connect_ticket where user_id = ${user_id} and expires_at < now() - interval '1 hour'
)
insert into connect_ticket (user_id, ticket_hash, platform, expires_at)
values (${user_id}, ${ticket_hash}, ${platform}, now() + ${seconds} * interval '1 second')
returning expires_at
