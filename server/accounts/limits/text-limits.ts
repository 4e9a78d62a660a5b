import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import type { Queries } from '#server/infra/db/index.ts'
import type { Services } from '#server/services.ts'
import { limitSubject } from './account-keys.ts'
import { type Allowed, countEvent, enforceLimit, refuseAtLimit, tryLimit } from './event-limits.ts'
import * as sql from './queries.ts'

const hour = 3600

/** The requester of a text, as the sending job needs it. */
export interface TextCaller {
  /** The HMAC of the caller's /16 (IPv4) or /32 (IPv6), in base64. */
  wide: string
  /** Whether the number's account was used from the caller's network before. */
  is_known: boolean
}

/**
 * Counts a requested text, or throws `rate_limited`: one a minute, 3 an hour and 10 a day per number and network, a
 * budget per address, and one per number over all networks. Networks known to the number's account count only against
 * the first two limits, so strangers cannot use up the owner's texts. The count does not depend on whether the number
 * has an account. Budgets of sent texts are only checked here; `countSentText` counts them. Call it in a transaction,
 * so that a refused text counts nowhere.
 */
export async function enforceTextLimits(
  { config, limits }: Services,
  queries: Queries,
  phone: string,
  address: string,
): Promise<TextCaller> {
  const network = limitSubject(config, address)
  const is_known = await isKnownNetwork({ config }, queries, phone, address)
  await enforceLimit(queries, 'text-number', limitSubject(config, `${phone} ${address}`), [
    { max: limits.textsPerMinute, seconds: 60 },
    { max: limits.textsPerHour, seconds: hour },
    { max: limits.textsPerDay, seconds: 24 * hour },
  ])
  await enforceLimit(queries, 'text-address', network, [{ max: limits.textsPerHourAndAddress, seconds: hour }])
  const caller = { wide: limitSubject(config, wideNetwork(address)).toString('base64'), is_known }
  if (!is_known) {
    await enforceLimit(queries, 'text-number-all', limitSubject(config, phone), [
      { max: 2 * limits.textsPerHour, seconds: hour },
      { max: 2 * limits.textsPerDay, seconds: 24 * hour },
    ])
  }
  for (const { kind, subject, allowed } of budgets({ config, limits }, phone, caller)) {
    await refuseAtLimit(queries, kind, subject, allowed)
  }
  return caller
}

/** Returns whether the account of a verified number was used from the network of an address before. */
export async function isKnownNetwork(
  { config }: Pick<Services, 'config'>,
  queries: Queries,
  phone: string,
  address: string,
): Promise<boolean> {
  const network = limitSubject(config, address)
  return (await queries.one(sql.findKnownCaller({ phone, network }))).is_known
}

/**
 * Counts a text about to be sent. Returns false if a budget is used up; the text must then not be sent. Strangers share
 * four fifths of the hourly budget and one wide network gets a tenth, so known networks still get texts. Logs an alert
 * at half and at the end of the budget.
 */
export async function countSentText(
  { config, limits, log }: Services,
  queries: Queries,
  phone: string,
  caller: TextCaller,
): Promise<boolean> {
  for (const { kind, subject, allowed } of budgets({ config, limits }, phone, caller)) {
    if (kind === allTexts) continue
    if ((await tryLimit(queries, kind, subject, allowed)) !== null) return false
  }
  const [budget] = budgets({ config, limits }, phone, caller)
  if (!budget) return true
  const { wait, count } = await countEvent(queries, budget.kind, budget.subject, budget.allowed)
  const alert = { alert: 'sms-budget', sent: count, budget: limits.textsPerHourInAll }
  if (wait !== null) log.error(alert, 'the hourly budget of texts is used up')
  else if (count === Math.ceil(limits.textsPerHourInAll / 2))
    log.error(alert, 'half of the hourly budget of texts is used')
  return wait === null
}

interface Budget {
  kind: string
  subject: Buffer
  allowed: Allowed[]
}

const allTexts = 'text-all'

/** Returns the budgets that a caller draws from, starting with the one of all texts. */
function budgets({ config, limits }: Pick<Services, 'config' | 'limits'>, phone: string, caller: TextCaller): Budget[] {
  const all = limits.textsPerHourInAll
  const perHour = (max: number): Allowed[] => [{ max, seconds: hour }]
  const subject = limitSubject(config, '')
  if (caller.is_known) return [{ kind: allTexts, subject, allowed: perHour(all) }]
  return [
    { kind: allTexts, subject, allowed: perHour(share(all, 0.8)) },
    { kind: 'text-wide', subject: Buffer.from(caller.wide, 'base64'), allowed: perHour(share(all, 0.1)) },
    {
      kind: 'text-range',
      subject: limitSubject(config, rangeOf(phone)),
      allowed: perHour(limits.textsPerHourAndRange),
    },
  ]
}

/** Returns a share of a limit, at least one; all of an unlimited one. */
const share = (all: number, part: number) => (all >= 1_000_000_000 ? all : Math.max(1, Math.floor(all * part)))

/** Returns the range of an E.164 number: its country and the next six digits. */
function rangeOf(phone: string): string {
  const country = parsePhoneNumberFromString(phone)?.countryCallingCode ?? ''
  return phone.slice(0, 1 + country.length + 6)
}

/** Returns the /16 of an IPv4 address or the /32 of an IPv6 one, in the notation of `limitKey`. */
function wideNetwork(address: string): string {
  return address.includes(':') ? address.split(':').slice(0, 2).join(':') : address.split('.').slice(0, 2).join('.')
}
