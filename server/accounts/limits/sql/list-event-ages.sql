-- Returns how many seconds ago the events of a subject were, newest first.
select extract(epoch from statement_timestamp() - past.at)::float8 as age
from recent_event, unnest(recent_event.times) as past (at)
where recent_event.kind = ${kind} and recent_event.subject = ${subject}
order by past.at desc
