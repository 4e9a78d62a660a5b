-- Returns a page of a user's alerts in one state, newest first.
select uid, kind, state, message, platform, item_uid, data, created_at
from alert
where user_id = ${user_id} and state = ${state}
  and (${before_at}::timestamptz is null or (created_at, uid) < (${before_at}::timestamptz, ${before_uid}))
order by created_at desc, uid desc
limit ${limit}
