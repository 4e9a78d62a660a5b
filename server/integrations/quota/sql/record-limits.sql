-- Keeps what a platform's answer told about its limits; null where it does not say.
select record_platform_limits(${platform}, ${app}, ${per_second}, ${per_day}, ${left})
