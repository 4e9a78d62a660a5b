import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { type Queries, sql } from '#server/infra/db/index.ts'
import type { Services } from '#server/services.ts'
import { limitSubject } from './account-keys.ts'
import { type Allowed, admit, countEvent, refuseIfReached, tryAdmit } from './admit.ts'

const findKnownCaller = sql(import.meta.url, './sql/find-known-caller.sql')

const hour = 3600

/** The requester of a text, as far as the job that sends the text needs to know. */
export interface TextCaller {
  /** The HMAC of the caller's /16 (IPv4) or /32 (IPv6), in base64. */
  wide: string
  /** The account of the number was entered from the caller's network before. */
  is_known: boolean
}

/**
 * Notes that a text is wanted for a number, or throws `rate_limited`: one a minute, 3 an hour and 10 a day per number and
 * network over all purposes, a budget per address, and one per number for all networks together. From a network that the
 * account of the number was entered from only the first two count, so strangers cannot use up the owner's texts. Counts
 * the same whether or not the number has an account. Whether budgets of sent texts are used up is only looked at here;
 * `countSentText` counts them. Called in a transaction: a text that is refused counts nowhere.
 */
export async function admitText(
  { config, limits }: Services,
  queries: Queries,
  phone: string,
  address: string,
): Promise<TextCaller> {
  const network = limitSubject(config, address)
  const is_known = await isKnownNetwork({ config }, queries, phone, address)
  await admit(queries, 'text-number', limitSubject(config, `${phone} ${address}`), [
    { max: limits.textsPerMinute, seconds: 60 },
    { max: limits.textsPerHour, seconds: hour },
    { max: limits.textsPerDay, seconds: 24 * hour },
  ])
  await admit(queries, 'text-address', network, [{ max: limits.textsPerHourAndAddress, seconds: hour }])
  const caller = { wide: limitSubject(config, wideNetwork(address)).toString('base64'), is_known }
  if (!is_known) {
    await admit(queries, 'text-number-all', limitSubject(config, phone), [
      { max: 2 * limits.textsPerHour, seconds: hour },
      { max: 2 * limits.textsPerDay, seconds: 24 * hour },
    ])
  }
  for (const { kind, subject, allowed } of budgets({ config, limits }, phone, caller)) {
    await refuseIfReached(queries, kind, subject, allowed)
  }
  return caller
}

/** Returns whether the account of a verified number was entered from the network of an address before. */
export async function isKnownNetwork(
  { config }: Pick<Services, 'config'>,
  queries: Queries,
  phone: string,
  address: string,
): Promise<boolean> {
  const network = limitSubject(config, address)
  return (await queries.one<{ is_known: boolean }>(findKnownCaller, { phone, network })).is_known
}

/**
 * Counts a text that is about to be sent. False when a budget is used up: then it must not be sent. Strangers' texts have
 * four fifths of the hourly budget, and one wide network a tenth, so that people who sign in from where they were before
 * still get theirs. Logs an alarm when half of the budget is used, and when all of it is.
 */
export async function countSentText(
  { config, limits, log }: Services,
  queries: Queries,
  phone: string,
  caller: TextCaller,
): Promise<boolean> {
  for (const { kind, subject, allowed } of budgets({ config, limits }, phone, caller)) {
    if (kind === allTexts) continue
    if ((await tryAdmit(queries, kind, subject, allowed)) !== null) return false
  }
  const [budget] = budgets({ config, limits }, phone, caller)
  if (!budget) return true
  const { wait, count } = await countEvent(queries, budget.kind, budget.subject, budget.allowed)
  const alarm = { alarm: 'sms-budget', sent: count, budget: limits.textsPerHourInAll }
  if (wait !== null) log.error(alarm, 'the hourly budget of texts is used up')
  else if (count === Math.ceil(limits.textsPerHourInAll / 2))
    log.error(alarm, 'half of the hourly budget of texts is used')
  return wait === null
}

interface Budget {
  kind: string
  subject: Buffer
  allowed: Allowed[]
}

const allTexts = 'text-all'

/** The budgets of sent texts that a caller draws from; the one of all texts first. */
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

/** At least one; of a budget without limit all. */
const share = (all: number, part: number) => (all >= 1_000_000_000 ? all : Math.max(1, Math.floor(all * part)))

/** The range of a number in E.164: its country and the first six digits within it. */
function rangeOf(phone: string): string {
  const country = parsePhoneNumberFromString(phone)?.countryCallingCode ?? ''
  return phone.slice(0, 1 + country.length + 6)
}

/** The /16 of an IPv4 address, the /32 of an IPv6 one, as `limitKey` writes them. */
function wideNetwork(address: string): string {
  return address.includes(':') ? address.split(':').slice(0, 2).join(':') : address.split('.').slice(0, 2).join('.')
}
