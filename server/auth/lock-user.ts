import { type Queries, sql } from '#server/db/index.ts'

const lock = sql(import.meta.url, './sql/lock-user.sql')

export interface LockedUser {
  id: number
  username: string
  email: string | null
  email_verified: boolean
  phone_number: string | null
  phone_verified: boolean
  first_name: string
  last_name: string
  password_hash: string | null
}

/** The account while active, held until the transaction ends; null when it is closed (threats T66). */
export function lockUser(queries: Queries, userId: number): Promise<LockedUser | null> {
  return queries.oneOrNone<LockedUser>(lock, { user_id: userId })
}
