import { isReserved } from '#server/accounts/contact/reserved-contacts.ts'
import type { Admission } from '#server/accounts/registration/admit.ts'
import type { Config } from '#server/config.ts'
import { type Queries, violatedUnique } from '#server/infra/db/index.ts'
import type { RowOf } from '#server/infra/db/statement.ts'
import { problem } from '#server/infra/errors.ts'
import type { Services } from '#server/services.ts'
import * as sql from './queries.ts'
import { randomDigits } from './random-digits.ts'

interface NewUser {
  email: string | null
  email_verified?: boolean
  phone_number?: string | null
  phone_verified?: boolean
  first_name: string
  last_name: string
  password_hash: string | null
}

type CreatedUser = RowOf<typeof sql.insertUser>

/**
 * Inserts an account with a unique user name: the local part of the email, with digits if taken, else `user` and
 * digits. `admission` is the leave to make it. Throws `email_in_use`, `phone_in_use`, which end a transaction.
 */
export async function createUser(
  { config }: Pick<Services, 'config'>,
  queries: Queries,
  user: NewUser,
  admission: Admission,
): Promise<CreatedUser> {
  const base = usernameFrom(user.email)
  for (let attempt = 0; attempt < 20; attempt++) {
    const username = base !== null && attempt === 0 ? base : `${base ?? 'user'}${randomDigits(base ? 3 + attempt : 8)}`
    try {
      const created = await queries.oneOrNone(
        sql.insertUser({
          email_verified: false,
          phone_number: null,
          phone_verified: false,
          ...user,
          ...admission,
          username,
        }),
      )
      if (created) {
        await refuseReserved(config, queries, user)
        return created
      }
    } catch (error) {
      const constraint = violatedUnique(error)
      if (constraint === 'app_user_email_key') throw problem('email_in_use', undefined, { cause: error })
      if (constraint === 'app_user_phone_number_key') throw problem('phone_in_use', undefined, { cause: error })
      throw error
    }
  }
  throw new Error('no free username was found')
}

/** Refuses the email address or phone number of an erased account. */
async function refuseReserved(config: Config, queries: Queries, user: NewUser): Promise<void> {
  if (user.email !== null && (await isReserved(config, queries, [{ email: user.email }]))) throw problem('email_in_use')
  const phone = user.phone_number ?? null
  if (phone !== null && (await isReserved(config, queries, [{ phone }]))) throw problem('phone_in_use')
}

function usernameFrom(email: string | null): string | null {
  const plain = (email?.split('@')[0] ?? '').replace(/[^a-z0-9._-]/g, '').slice(0, 40)
  return plain === '' ? null : plain
}
