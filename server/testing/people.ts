import { randomInt } from 'node:crypto'
import { randomBase62 } from '#shared/identity.ts'
import type { Api } from './api.ts'

/** A password that passes every rule. */
export const goodPassword = 'paper lantern 42'

export const someEmail = () => `ada.${randomBase62(10).toLowerCase()}@example.com`

/** A US number that nobody else in the run has: 415 555 is for fiction, and too small for us. */
export const somePhone = () => `+1415${2 + randomInt(8)}${String(randomInt(1_000_000)).padStart(6, '0')}`

export interface Registered {
  id: number
  email: string
  token: string
}

/** An account by the real registration. */
export async function register(api: Api, email = someEmail(), password = goodPassword): Promise<Registered> {
  const body = { email, password, password_confirm: password, full_name: 'Ada Lovelace' }
  const reply = await api('POST', '/api/auth/register/email/', { body })
  if (reply.status !== 201) throw new Error(`registration answered ${reply.status} ${JSON.stringify(reply.body)}`)
  return { id: reply.body.user.id, email, token: reply.body.token }
}
