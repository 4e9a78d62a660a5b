// Made from queries.sql by `npm run queries`. Do not edit.
import { statement } from '#server/infra/db/statement.ts'

/** Returns a row if the credential of a request still exists. Requires the lock of the account, which every revocation
 * takes too. */
export const findCredential = statement<{ kind: string; user_id: number; hash: Buffer | null; key_id: string | null }, { found: number | null }>(
  'http/credentials/findCredential',
  ['kind', 'user_id', 'hash', 'key_id'],
  `select 1 as found
where case $1
  when 'bearer' then exists (select from bearer_token where user_id = $2 and token_hash = $3::bytea)
  when 'api_key' then exists (select from api_key where user_id = $2 and id = $4)
  when 'ticket' then exists (select from connect_ticket where user_id = $2 and ticket_hash = $3::bytea)
  when 'authorization' then exists (select from oauth_state where user_id = $2 and state_hash = $3::bytea)
end`,
)
