-- Returns the platforms on which an item was live and has ended or is being ended: it can be offered there again. A
-- listing that an unpaid order held has usually been ended by its platform; if not, the next reading shows it.
select platform
from channel_listing
where user_id = ${user_id} and item_uid = ${item_uid} and state in ('sold', 'removed', 'reserved')
union
select platform
from listing_operation
where user_id = ${user_id} and item_uid = ${item_uid} and kind = 'delist' and state = 'open'
order by platform
