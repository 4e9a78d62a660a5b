-- Stores the given costs of a sale. No row if the sale is cancelled or another user's.
update sale
set fee_minor = case when ${sets_fee} then ${fee_minor}::bigint else fee_minor end,
  shipping_minor = case when ${sets_shipping} then ${shipping_minor}::bigint else shipping_minor end,
  cost_minor = case when ${sets_cost} then ${cost_minor}::bigint else cost_minor end
where user_id = ${user_id} and id = ${id}::bigint and not cancelled
returning id
