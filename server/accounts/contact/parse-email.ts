import { invalidField } from '#server/infra/errors.ts'
import { normalizeEmail } from './email.ts'

/** Returns the address in its stored form; throws `invalid_request` naming the field. */
export function parseEmail(text: string, field = 'email'): string {
  const email = normalizeEmail(text)
  if (email === null) throw invalidField(field, 'invalid_email', 'is not an email address that we can write to')
  return email
}
