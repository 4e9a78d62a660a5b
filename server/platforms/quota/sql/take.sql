-- Takes calls of several requests out of a platform's budget; one row for each, see migration platform-quota.
select place, granted, wait_ms
from take_platform_calls(${platform}, ${app}, ${limits}::jsonb, ${requests}::jsonb)
