-- Records the limits of a platform's answer; null for missing ones.
select record_platform_limits(${platform}, ${app}, ${per_second}, ${per_day}, ${left})
