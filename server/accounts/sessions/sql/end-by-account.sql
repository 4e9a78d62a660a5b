-- Ends all sessions and notifications of an account, by its e-mail address or user name. No row if there is no such account.
with holder as (
  select id from app_user where email = lower(${account}) or username = ${account} order by email = lower(${account}) desc limit 1
), tickets as (
  delete from connect_ticket using holder where user_id = holder.id
), states as (
  delete from oauth_state using holder where user_id = holder.id
), subscriptions as (
  delete from web_push_subscription using holder where user_id = holder.id and token_hash is null
), ended as (
  delete from bearer_token using holder where user_id = holder.id returning uid
)
select (select count(*)::integer from ended) as ended from holder
