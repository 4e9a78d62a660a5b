import { randomInt } from 'node:crypto'
import { randomBase62 } from '#shared/identity.ts'
import type { Api } from './api.ts'

/** A password that passes every rule. */
export const goodPassword = 'paper lantern 42'

export const someEmail = () => `ada.${randomBase62(10).toLowerCase()}@example.com`

/** How many US numbers there are in one area code; the step has no divisor in common with it, so that each comes once. */
const numbersInAll = 8_000_000
const step = 1_234_577
let lastNumber = randomInt(numbersInAll)

/** A US number that nobody else in the test file has: 415 555 is for fiction, and too small for us. */
export function somePhone(): string {
  lastNumber = (lastNumber + step) % numbersInAll
  return `+1415${2_000_000 + lastNumber}`
}

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
