import { revokeGrants } from '#server/accounts/sign-in/apple/grants.ts'
import type { Queries } from '#server/infra/db/index.ts'
import type { Services } from '#server/services.ts'
import * as sql from './queries.ts'

/**
 * Revokes everything that lets somebody stay in an account: keys, linked identities, webhooks, passkeys and sessions.
 * The caller handles phone number, password and shops, and locks the account. `secondFactor`: removes the authenticator
 * app too, where a stranger may have set it up. A mere new password keeps it, so that reading somebody's mail is not
 * enough. Returns what was removed, in words.
 */
export async function revokeAccess(
  services: Pick<Services, 'jobs'>,
  queries: Queries,
  userId: number,
  { secondFactor }: { secondFactor: boolean },
): Promise<string[]> {
  await revokeGrants(services, queries, userId)
  const { keys, links, webhooks, tokens, passkeys, apps } = await queries.one(
    sql.removeSetUp({ user_id: userId, second_factor: secondFactor }),
  )
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
