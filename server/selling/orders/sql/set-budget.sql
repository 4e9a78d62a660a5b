-- Sets the calls that reading orders may spend ahead of its plan.
insert into order_budget (platform, calls, largest, per_second)
values (${platform}, ${largest}, ${largest}, ${per_second})
on conflict (platform) do update set largest = excluded.largest, per_second = excluded.per_second
