-- Returns the age of the oldest waiting mail and text.
select channel, extract(epoch from now() - min(created_at))::float as seconds
from outbox_message
where status in ('waiting', 'sending')
group by channel
