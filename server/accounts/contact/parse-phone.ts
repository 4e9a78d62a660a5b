import type { Config } from '#server/config.ts'
import { invalidField, problem } from '#server/infra/errors.ts'
import { readPhone } from './phone.ts'

/** Returns the number in E.164; throws `invalid_request` naming the field, or `country_not_supported`. */
export function parsePhone(config: Config, text: string, field = 'phone_number'): string {
  const verdict = readPhone(text, config.SMS_COUNTRIES)
  if ('phone' in verdict) return verdict.phone
  if (verdict.fault === 'not_supported') throw problem('country_not_supported')
  throw invalidField(field, 'invalid_phone', 'is not a phone number, written as +14155550100')
}
