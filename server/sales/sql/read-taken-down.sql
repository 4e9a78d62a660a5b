-- The platforms on which an item was live and is not any more: where it can be offered again.
select distinct platform
from channel_listing
where user_id = ${user_id} and item_uid = ${item_uid} and state in ('sold', 'removed')
order by platform
