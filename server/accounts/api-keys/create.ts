import { hashSecret, newSecret } from '#server/http/credentials/credentials.ts'
import { type RequestCredential, reauthorize } from '#server/http/credentials/reauthorize.ts'
import type { KeepReply } from '#server/http/idempotency/idempotency.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { invalidField, problem } from '#server/infra/errors.ts'
import type { Services } from '#server/services.ts'
import type { ApiKey } from '#shared/contract/account/api-keys.ts'
import { scopes as allScopes, type Scope } from '#shared/contract/declaring/route.ts'
import { newId } from '#shared/identity.ts'
import * as sql from './queries.ts'

/** Largest number of live keys of a user. */
const maxKeys = 25

/**
 * Creates an API key; only this response shows its value. Locks the user while counting keys, so that the limit holds
 * under concurrency. Throws `too_many_keys`, `invalid_request`, `unauthenticated`.
 */
export async function createApiKey(
  { db, now }: Pick<Services, 'db' | 'now'>,
  holder: RequestCredential,
  given: { name: string; scopes?: Scope[]; expires_at?: string | null },
  keep: KeepReply,
): Promise<{ status: 201; body: ApiKey & { key: string } }> {
  const expiresAt = given.expires_at ? new Date(given.expires_at) : null
  if (expiresAt && expiresAt <= now()) throw invalidField('expires_at', 'in_the_past', 'must lie in the future')
  const key = newSecret('hpxk')
  return transaction(db, 'create-api-key', async (tx) => {
    if (!(await reauthorize(tx, holder))) throw problem('unauthenticated')
    const { count } = await tx.one(sql.count({ user_id: holder.user_id }))
    if (count >= maxKeys) throw problem('too_many_keys', `There are ${maxKeys} API keys already. Delete one first.`)
    const record = await tx.one(
      sql.insert({
        user_id: holder.user_id,
        id: newId('key'),
        name: given.name,
        key_hash: hashSecret(key),
        prefix: 'hpxk',
        last4: key.slice(-4),
        scopes: allScopes.filter((scope) => given.scopes?.includes(scope) ?? true),
        expires_at: expiresAt?.toISOString() ?? null,
      }),
    )
    return keep(tx, { status: 201, body: { ...record, key } })
  })
}
