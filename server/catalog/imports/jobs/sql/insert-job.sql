-- Inserts a job. No row if the seller account has a live one.
insert into import_job (
  user_id, uid, seller_account_uid, platform, source, states, auto_start, expected_total
)
values (
  ${user_id}, ${uid}, ${seller_account_uid}, ${platform}, ${source}, ${states}::text[], ${auto_start}, ${expected_total}
)
on conflict (user_id, seller_account_uid) where status in ('pending', 'in_progress') do nothing
returning uid
