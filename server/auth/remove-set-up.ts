import { type Queries, sql } from '#server/db/index.ts'

const remove = sql(import.meta.url, './sql/remove-set-up.sql')

/**
 * Ends everything that was set up in an account and lets somebody stay in it: keys, linked identities, webhook addresses and
 * sessions; the phone number, the password and the shops are the caller's to think of, and so is holding the account.
 * Answers what there was, in words.
 */
export async function removeSetUp(queries: Queries, userId: number): Promise<string[]> {
  const { keys, links, webhooks, tokens } = await queries.one<Record<'keys' | 'links' | 'webhooks' | 'tokens', number>>(
    remove,
    { user_id: userId },
  )
  return [
    counted(keys, 'API key', 'API keys'),
    counted(links, 'linked account', 'linked accounts'),
    counted(webhooks, 'webhook address', 'webhook addresses'),
    counted(tokens, 'session', 'sessions'),
  ].filter((part) => part !== null)
}

const counted = (count: number, one: string, many: string) =>
  count === 0 ? null : `${count} ${count === 1 ? one : many}`
