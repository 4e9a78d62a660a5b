-- Reopens a closed account while its data exists. Its linked identities work again; keys and sessions stay ended.
with opened as (
  update app_user set state = 'active', deactivated_at = null
  where id = ${user_id} and state = 'deactivated' and erasing_since is null
    and deactivated_at > now() - ${kept_days} * interval '1 day'
  returning id
), links as (
  update social_link set ended_at = null from opened where social_link.user_id = opened.id
)
select id from opened
