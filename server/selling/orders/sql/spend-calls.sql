-- Takes calls out of what may be spent ahead, which grows with time up to its bound; tells how full it is from 0 to 1.
update order_budget set
  calls = greatest(0, least(largest, calls + extract(epoch from now() - updated_at) * per_second) - ${calls}),
  updated_at = now()
where platform = ${platform}
returning calls / greatest(largest, 1) as fullness
