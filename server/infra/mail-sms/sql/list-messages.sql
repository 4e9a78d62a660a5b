-- Returns the newest messages whose content still exists.
select id, channel, template, status, encrypted_message, created_at, sent_at
from outbox_message
where encrypted_message is not null
order by created_at desc, id
limit ${limit}
