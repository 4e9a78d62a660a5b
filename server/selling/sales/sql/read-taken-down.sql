-- The platforms on which an item was live and is not any more, or is being taken down: where it can be offered again. A listing that an unpaid
-- order held was ended by its platform, as a rule; when it is on offer after all, it is taken for that when it is read.
select platform
from channel_listing
where user_id = ${user_id} and item_uid = ${item_uid} and state in ('sold', 'removed', 'reserved')
union
select platform
from listing_operation
where user_id = ${user_id} and item_uid = ${item_uid} and kind = 'delist' and state = 'open'
order by platform
