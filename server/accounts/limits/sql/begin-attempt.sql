-- Counts an attempt as failed before it is checked.
select allowed, count, extract(epoch from blocked_until - statement_timestamp())::float8 as wait
from count_attempt(${kind}, ${subject}, ${network}, ${max}, ${window}, ${first}, ${longest})
