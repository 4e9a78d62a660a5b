-- Records what an act changed.
insert into undo_step (
  user_id, change_uid, subject_uid, kind, item_uid, job_uid, seller_account_uid, platform, title, before, after
)
values (
  ${user_id}, ${change_uid}, ${subject_uid}, ${kind}, ${item_uid}, ${job_uid}, ${seller_account_uid}, ${platform}, ${title},
  ${before:json}, ${after:json}
)
on conflict do nothing
