-- Takes calls from those that may be spent ahead, which grow with time up to a bound. Returns how full they are, from
-- 0 to 1.
update order_budget set
  calls = greatest(0, least(largest, calls + extract(epoch from now() - updated_at) * per_second) - ${calls}),
  updated_at = now()
where platform = ${platform}
returning calls / greatest(largest, 1) as fullness
