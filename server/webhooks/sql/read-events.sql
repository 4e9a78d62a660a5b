-- Returns a user's events after a number, oldest first, without test events.
select uid as event_uid, seq, type, item_uid, data, created_at
from event
where user_id = ${user_id} and seq > ${after} and type <> 'webhook.test'
order by seq
limit ${limit}
