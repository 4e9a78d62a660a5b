-- The newest messages whose content is still there.
select id, channel, template, status, sealed_message, created_at, sent_at
from outbox_message
where sealed_message is not null
order by created_at desc, id
limit ${limit}
