import { hashSecret, newSecret } from '#server/http/credentials/credentials.ts'
import type { Database } from '#server/infra/db/index.ts'
import { type Scope, scopes } from '#shared/contract/declaring/route.ts'
import { newId, randomBase62 } from '#shared/identity.ts'

export interface TestAccount {
  user_id: number
  email: string
  /** Headers of a bearer session. */
  bearer: { authorization: string }
  /** Headers of an API key with the given scopes (all by default). */
  key: { 'x-api-key': string }
}

/** Inserts an account with a valid token and key directly, for tests about other features. */
export async function buildAccount(db: Database, given: { scopes?: Scope[] } = {}): Promise<TestAccount> {
  const name = `seller-${randomBase62(8).toLowerCase()}`
  const email = `${name}@example.com`
  const token = newSecret('hpxt')
  const key = newSecret('hpxk')
  const { id } = await db.one<{ id: number }>(
    'insert into app_user (username, email) values ($<name>, $<email>) returning id',
    { name, email },
  )
  await db.none('insert into bearer_token (user_id, token_hash) values ($<id>, $<hash>)', {
    id,
    hash: hashSecret(token),
  })
  await db.none(
    `insert into api_key (user_id, id, name, key_hash, prefix, last4, scopes)
     values ($<id>, $<keyId>, 'test', $<hash>, 'hpxk', $<last4>, $<scopes>)`,
    { id, keyId: newId('key'), hash: hashSecret(key), last4: key.slice(-4), scopes: given.scopes ?? [...scopes] },
  )
  return { user_id: id, email, bearer: { authorization: `Bearer ${token}` }, key: { 'x-api-key': key } }
}
