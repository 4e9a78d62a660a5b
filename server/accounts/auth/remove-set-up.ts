import { type Queries, sql } from '#server/infra/db/index.ts'

const remove = sql(import.meta.url, './sql/remove-set-up.sql')

/**
 * Ends everything that was set up in an account and lets somebody stay in it: keys, linked identities, webhook addresses,
 * passkeys and sessions; the phone number, the password and the shops are the caller's to think of, and so is holding the account.
 * `secondFactor`: the authenticator app ends too, where a stranger may have set it up. A mere new password leaves it: whoever
 * reads somebody's mail must not get past it. Answers what there was, in words.
 */
export async function removeSetUp(
  queries: Queries,
  userId: number,
  { secondFactor }: { secondFactor: boolean },
): Promise<string[]> {
  const { keys, links, webhooks, tokens, passkeys, apps } = await queries.one<
    Record<'keys' | 'links' | 'webhooks' | 'tokens' | 'passkeys' | 'apps', number>
  >(remove, { user_id: userId, second_factor: secondFactor })
  return [
    counted(keys, 'API key', 'API keys'),
    counted(links, 'linked account', 'linked accounts'),
    counted(webhooks, 'webhook address', 'webhook addresses'),
    counted(passkeys, 'passkey', 'passkeys'),
    counted(apps, 'authenticator app', 'authenticator apps'),
    counted(tokens, 'session', 'sessions'),
  ].filter((part) => part !== null)
}

const counted = (count: number, one: string, many: string) =>
  count === 0 ? null : `${count} ${count === 1 ? one : many}`
