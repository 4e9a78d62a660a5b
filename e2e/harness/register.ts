import { randomBase62 } from '#shared/identity.ts'
import type { Api } from './api.ts'

/** A password that passes every rule. */
export const goodPassword = 'paper lantern 42'

export const someEmail = () => `ada.${randomBase62(10).toLowerCase()}@example.com`

/** US numbers in one area code. The step is coprime to it, so that each number comes once. */
const numberCount = 8_000_000
const step = 1_234_577
let lastNumber = 0

/** Returns a US number that is unique in the test file. The fictional range 415 555 would be too small. */
export function somePhone(): string {
  lastNumber = (lastNumber + step) % numberCount
  return `+1415${2_000_000 + lastNumber}`
}

export interface Registered {
  id: number
  email: string
  token: string
}

/** Registers an account through the API. */
export async function register(api: Api, email = someEmail(), password = goodPassword): Promise<Registered> {
  const body = { email, password, password_confirm: password, full_name: 'Ada Lovelace' }
  const reply = await api('POST', '/api/auth/register/email/', { body })
  if (reply.status !== 201) throw new Error(`registration answered ${reply.status} ${JSON.stringify(reply.body)}`)
  return { id: reply.body.user.id, email, token: reply.body.token }
}
