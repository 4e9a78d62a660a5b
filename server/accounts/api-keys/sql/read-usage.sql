-- Returns the calls of a user's keys within a range of days.
select key_id, name, day, count, errors
from api_usage
where user_id = ${user_id} and day between ${from}::date and ${to}::date
order by key_id, day
