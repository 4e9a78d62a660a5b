import { createPrivateKey } from 'node:crypto'
import { asPem } from '#server/accounts/auth/apple/client.ts'
import { type Config, settingNames } from '#server/config.ts'
import { isLoopback } from '#server/infra/loopback.ts'

/** Settings that work only in pairs. */
const pairs = [
  ['EBAY_CLIENT_ID', 'EBAY_CLIENT_SECRET'],
  ['EBAY_CLIENT_ID', 'EBAY_RU_NAME'],
  ['APPLE_TEAM_ID', 'APPLE_KEY_ID'],
  ['APPLE_TEAM_ID', 'APPLE_PRIVATE_KEY'],
  ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN'],
] as const

/** Shorter names resemble too many others. */
const shortestName = 8

/**
 * Throws if settings cannot work outside the sandbox: one line per fault, with the variable's name and never its value.
 * A server on a loopback address may lack what only public ones need.
 */
export function checkSettings(environment: Record<string, string | undefined>, config: Config): void {
  if (config.sandbox) return
  const faults = [...invalidSettings(config), ...missingSettings(config), ...misspelled(environment)]
  if (faults.length === 0) return
  throw new Error(`These settings cannot work with SANDBOX=off:\n  ${[...new Set(faults)].join('\n  ')}`)
}

/** Summarizes the configured services for the log, without secrets. */
export function describeSettings(config: Config): Record<string, unknown> {
  return {
    public_url: config.PUBLIC_URL,
    database: config.DATABASE_URL ? 'external' : 'embedded',
    ebay: config.EBAY_CLIENT_ID !== undefined,
    etsy: config.ETSY_CLIENT_ID !== undefined,
    apple: config.APPLE_CLIENT_ID !== undefined,
    stripe: config.STRIPE_SECRET_KEY !== undefined,
    mail: config.SMTP_URL !== undefined,
    texts: config.TWILIO_ACCOUNT_SID !== undefined,
    trusted_hops: config.TRUSTED_HOPS,
  }
}

function* invalidSettings(config: Config): Generator<string> {
  if (config.DATABASE_URL && !hasScheme(config.DATABASE_URL, /^postgres(ql)?:$/)) {
    const name = config.DATABASE_DIRECT_URL ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL'
    yield `${name}: must be an address such as postgres://user:password@host:5432/name`
  }
  if (config.SMTP_URL && !hasScheme(config.SMTP_URL, /^smtps?:$/)) {
    yield 'SMTP_URL: must be an address such as smtps://user:password@host:465'
  }
  if (config.APPLE_PRIVATE_KEY && !isPrivateKey(config.APPLE_PRIVATE_KEY)) {
    yield 'APPLE_PRIVATE_KEY: must be the text of the .p8 file that Apple gave'
  }
  if (!config.SMS_COUNTRIES.every((prefix) => /^\+[1-9]\d{0,3}$/.test(prefix))) {
    yield 'SMS_COUNTRIES: must be country codes with a plus, such as +1,+44'
  }
  for (const [one, other] of pairs) {
    if (config[one] && !config[other]) yield `${other}: is needed with ${one}`
    if (config[other] && !config[one]) yield `${one}: is needed with ${other}`
  }
}

function* missingSettings(config: Config): Generator<string> {
  const { protocol, hostname } = new URL(config.PUBLIC_URL)
  if (isLoopback(hostname)) {
    // A worker listens nowhere, but its mails lead to PUBLIC_URL.
    const mailsLeave = !isLoopback(URL.parse(config.SMTP_URL ?? '')?.hostname ?? 'localhost')
    if (mailsLeave || !isLoopback(config.HOST)) yield 'PUBLIC_URL: must be the https address that sellers open'
    return
  }
  if (protocol !== 'https:') yield 'PUBLIC_URL: must begin with https://'
  if (!config.SMTP_URL) yield 'SMTP_URL: is needed: accounts are confirmed and recovered by mail'
  const domain = /@([^@>\s]+)>?\s*$/.exec(config.MAIL_FROM)?.[1] ?? ''
  if (!domain.includes('.')) yield 'MAIL_FROM: must be an address of your domain, such as Hapax <no-reply@example.com>'
}

/** Yields unknown variables that differ from a setting by a letter or two. */
function* misspelled(environment: Record<string, string | undefined>): Generator<string> {
  for (const name of Object.keys(environment)) {
    if (name.length < shortestName || settingNames.includes(name)) continue
    const known = settingNames.find((setting) => setting.length >= shortestName && distance(name, setting) <= 2)
    if (known) yield `${name}: is not a setting; did you mean ${known}?`
  }
}

/** Returns the edit distance of two names. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const changed = row[j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1)
      next.push(Math.min(changed, row[j]! + 1, next[j - 1]! + 1))
    }
    row = next
  }
  return row[other.length]!
}

function hasScheme(text: string, scheme: RegExp): boolean {
  return URL.canParse(text) && scheme.test(new URL(text).protocol) && new URL(text).hostname !== ''
}

function isPrivateKey(text: string): boolean {
  try {
    return createPrivateKey(asPem(text)).type === 'private'
  } catch {
    return false
  }
}
