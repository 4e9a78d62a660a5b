-- Returns closed accounts whose personal data is due to be erased, or is being erased.
select id from app_user
where state = 'deactivated' and erased_at is null
  and (erasing_since is not null or deactivated_at < now() - ${kept_days} * interval '1 day')
order by id
limit 100
