import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import type { Queries } from '#server/db/index.ts'
import { HttpProblem } from '#server/http/errors.ts'
import type { Services } from '#server/services.ts'
import { limitSubject } from './account-keys.ts'
import { admit } from './admit.ts'

const hour = 3600

/**
 * Notes that a text is wanted for a number, or throws `rate_limited`: one a minute, 3 an hour, 10 a day and number
 * over all purposes, and budgets by network, by range of numbers and in all, against those who earn by expensive
 * numbers (threats T40). Counts the same whether or not the number has an account. Called in a transaction: a text
 * that is refused counts nowhere.
 */
export async function admitText(
  { config, limits, log }: Services,
  queries: Queries,
  phone: string,
  address: string,
): Promise<void> {
  await admit(queries, 'text-number', limitSubject(config, phone), [
    { max: limits.textsPerMinute, seconds: 60 },
    { max: limits.textsPerHour, seconds: hour },
    { max: limits.textsPerDay, seconds: 24 * hour },
  ])
  await admit(queries, 'text-address', limitSubject(config, address), [
    { max: limits.textsPerHourAndAddress, seconds: hour },
  ])
  await admit(queries, 'text-range', limitSubject(config, rangeOf(phone)), [
    { max: limits.textsPerHourAndRange, seconds: hour },
  ])
  try {
    await admit(queries, 'text-all', limitSubject(config, ''), [{ max: limits.textsPerHourInAll, seconds: hour }])
  } catch (error) {
    if (error instanceof HttpProblem) log.error({ alarm: 'sms-budget' }, 'the hourly budget of texts is used up')
    throw error
  }
}

/** The range of a number in E.164: its country and the first six digits within it. */
function rangeOf(phone: string): string {
  const country = parsePhoneNumberFromString(phone)?.countryCallingCode ?? ''
  return phone.slice(0, 1 + country.length + 6)
}
