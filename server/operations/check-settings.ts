import { createPrivateKey } from 'node:crypto'
import { asPem } from '#server/accounts/sign-in/apple/client.ts'
import { type Config, settingNames } from '#server/config.ts'
import { isLoopback } from '#server/infra/loopback.ts'
import type { DependentSetting } from '#server/room.ts'
import { rooms } from '#server/rooms.ts'
import { bodySizes } from '#shared/contract/declaring/body-sizes.ts'

/** Settings that work only together: each of a line needs the first, and the first needs each. */
const together: (keyof Config)[][] = [
  ['EBAY_CLIENT_ID', 'EBAY_CLIENT_SECRET', 'EBAY_RU_NAME'],
  ['ETSY_CLIENT_ID', 'ETSY_CLIENT_SECRET'],
  ['APPLE_TEAM_ID', 'APPLE_KEY_ID', 'APPLE_PRIVATE_KEY'],
  ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN'],
  ['S3_BUCKET_URL', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
]

/** Settings that do nothing without one of the others. */
const dependent: DependentSetting[] = [
  ['SECRET_KEY_PREVIOUS', 'SECRET_KEY'],
  ['ETSY_WEBHOOK_SECRET', 'ETSY_CLIENT_ID'],
  ['APPLE_TEAM_ID', 'APPLE_CLIENT_ID', 'APPLE_SERVICES_ID'],
  ['APPLE_CLIENT_ID', 'APPLE_TEAM_ID'],
  ['APPLE_SERVICES_ID', 'APPLE_TEAM_ID'],
  ['APPLE_REDIRECT_URI', 'APPLE_SERVICES_ID'],
  ['TWILIO_ACCOUNT_SID', 'TWILIO_FROM', 'TWILIO_MESSAGING_SERVICE_SID'],
  ['TWILIO_FROM', 'TWILIO_ACCOUNT_SID'],
  ['TWILIO_MESSAGING_SERVICE_SID', 'TWILIO_ACCOUNT_SID'],
  ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'],
]

/** Formats that the services document, so that a value of another setting is noticed. */
const formats: [keyof Config, RegExp, string][] = [
  ['TWILIO_ACCOUNT_SID', /^AC[0-9a-f]{32}$/i, 'the SID of an account, AC and 32 hex digits'],
  // A number, a short code, or a name with a letter.
  [
    'TWILIO_FROM',
    /^(\+[1-9]\d{6,14}|\d{5,6}|(?=.*[a-z])[a-z0-9 +_&-]{1,11})$/i,
    'a number such as +14155550100, a short code, or a name of at most 11 characters',
  ],
  ['STRIPE_SECRET_KEY', /^[sr]k_\w+$/, 'a secret key, sk_… or rk_…, not a publishable one'],
  ['STRIPE_WEBHOOK_SECRET', /^whsec_\S+$/, 'the signing secret of the webhook, whsec_…'],
]

const howToEncode = 'with / # ? @ % in the password as %2F %23 %3F %40 %25'

/** Shorter names resemble too many others. */
const shortestName = 8

/**
 * Throws if settings cannot work outside the sandbox: one line per fault, with the variable's name and never its value.
 * A server on a loopback address may lack what only public ones need.
 */
export function checkSettings(environment: Record<string, string | undefined>, config: Config): void {
  if (config.sandbox) return
  const faults = [
    ...invalidSettings(config),
    ...lonelySettings(environment, config),
    ...missingSettings(config),
    ...misspelled(environment),
  ]
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
  const database = config.DATABASE_DIRECT_URL ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL'
  if (config.DATABASE_URL && !isAddress(config.DATABASE_URL, /^postgres(ql)?:$/)) {
    yield `${database}: must be an address such as postgres://user:password@host:5432/name, ${howToEncode}; or leave the password out and set PGPASSWORD`
  }
  if (config.SMTP_URL && !isAddress(config.SMTP_URL, /^smtps?:$/)) {
    yield `SMTP_URL: must be an address such as smtps://user:password@host:465, ${howToEncode}`
  } else if (
    config.SMTP_URL &&
    (new URL(config.SMTP_URL).username === '') !== (new URL(config.SMTP_URL).password === '')
  ) {
    yield 'SMTP_URL: must have both a user and a password, or neither'
  }
  if (config.APPLE_PRIVATE_KEY && !isPrivateKey(config.APPLE_PRIVATE_KEY)) {
    yield 'APPLE_PRIVATE_KEY: must be the text of the .p8 file that Apple gave'
  }
  if (!config.SMS_COUNTRIES.every((prefix) => /^\+[1-9]\d{0,3}$/.test(prefix))) {
    yield 'SMS_COUNTRIES: must be country codes with a plus, such as +1,+44'
  }
  for (const [name, format, fault] of formats) {
    const value = config[name]
    if (typeof value === 'string' && !format.test(value)) yield `${name}: must be ${fault}`
  }
  if (config.SECRET_KEY_PREVIOUS && config.SECRET_KEY_PREVIOUS === config.SECRET_KEY) {
    yield 'SECRET_KEY_PREVIOUS: must differ from SECRET_KEY'
  }
  if (config.REQUEST_BODIES_MB * 1_000_000 < 4 * bodySizes.upload) {
    yield `REQUEST_BODIES_MB: must be at least ${(4 * bodySizes.upload) / 1_000_000}: one client has a quarter, and a photo may have ${bodySizes.upload / 1_000_000} MB`
  }
}

/** Yields settings that work only with others that are not set. */
function* lonelySettings(environment: Record<string, string | undefined>, config: Config): Generator<string> {
  for (const [first, ...others] of together) {
    if (others.some((other) => config[other]) && !config[first!])
      yield `${first}: is needed with ${others.find((other) => config[other])}`
    if (config[first!]) for (const other of others) if (!config[other]) yield `${other}: is needed with ${first}`
  }
  for (const [name, ...needed] of [...dependent, ...rooms.flatMap((room) => room.dependent?.(config) ?? [])]) {
    if (config[name] && !needed.some((other) => config[other])) yield `${needed.join(' or ')}: is needed with ${name}`
  }
  if (Object.keys(config.OTEL_EXPORTER_OTLP_HEADERS).length > 0 && !config.OTEL_EXPORTER_OTLP_ENDPOINT) {
    yield 'OTEL_EXPORTER_OTLP_ENDPOINT: is needed with OTEL_EXPORTER_OTLP_HEADERS'
  }
  if (environment.INTERNAL_HOST && config.INTERNAL_PORT === undefined) {
    yield 'INTERNAL_PORT: is needed with INTERNAL_HOST'
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
  else if (['0.0.0.0', '[::]'].includes(hostname)) yield 'PUBLIC_URL: must be the https address that sellers open'
  if (!config.SMTP_URL) yield 'SMTP_URL: is needed: accounts are confirmed and recovered by mail'
  if (!isSender(config.MAIL_FROM))
    yield 'MAIL_FROM: must be an address of your domain, such as Hapax <no-reply@example.com>'
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

/**
 * Whether a text is an address of a scheme with an encoded user and password: an unencoded / # or ? makes the user the
 * host, and leaves the @ behind it.
 */
function isAddress(text: string, scheme: RegExp): boolean {
  const address = URL.parse(text)
  if (!address || !scheme.test(address.protocol) || address.hostname === '') return false
  const { username, password, pathname, search, hash } = address
  if (username === '' && `${pathname}${search}${hash}`.includes('@')) return false
  return isDecodable(`${username}${password}${pathname}`)
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** Whether a text is one address with a domain, with or without a name: `Hapax <no-reply@example.com>`. */
function isSender(text: string): boolean {
  const [, name = '', named, bare] = /^(?:([^<>]*)<([^<>]+)>|([^<>\s]+))$/.exec(text.trim()) ?? []
  const isName = !name.includes(',') || /^\s*"[^"]*"\s*$/.test(name)
  return isName && /^[^\s@,;]+@[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test((named ?? bare ?? '').trim())
}

function isPrivateKey(text: string): boolean {
  try {
    return createPrivateKey(asPem(text)).type === 'private'
  } catch {
    return false
  }
}
