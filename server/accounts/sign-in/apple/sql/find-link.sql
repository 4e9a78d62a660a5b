-- Returns the account of an identity at another service, and whether it still opens the account.
select link.user_id, app_user.username, app_user.email,
  link.ended_at is null and app_user.state = 'active' as live
from social_link link
join app_user on app_user.id = link.user_id
where link.provider = ${provider} and link.subject = ${subject}
