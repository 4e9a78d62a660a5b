import type { User } from '#shared/contract/account/accounts.ts'

export interface Session {
  user: User
  token: string
}

/** Returns the response of a sign-in. A null token is a bug: callers handle it first. */
export function sessionOf(user: User, token: string | null): Session {
  if (token === null) throw new Error('no token was issued to an account made in this transaction')
  return { user: { id: user.id, username: user.username, email: user.email }, token }
}
