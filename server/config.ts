import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { z } from 'zod'
import { isLoopback } from '#server/infra/loopback.ts'
import { nameServerAddress } from '#server/infra/name-server.ts'
import { ExtensionVersion } from '#shared/contract/extension.ts'
import { ExtensionSlug } from '#shared/platforms.ts'

const flag = z.enum(['on', 'off'])
const whole = (least: number, most: number) => z.coerce.number().int().min(least).max(most)
const port = whole(0, 65_535)
/** An address that is opened as it is. */
const link = z.url({ protocol: /^https?$/ })
/** The beginning of addresses: paths are appended. */
const url = link
  .refine(hasNothingBehind, 'must have no user name, ? or #, because paths are appended')
  .transform((value) => value.replace(/\/$/, ''))
const publicUrl = url
  .refine((value) => URL.parse(value)?.pathname === '/', 'must have no path, such as https://hapax.example.com')
  .transform((value) => new URL(value).origin)
const host = z.string().refine(isHost, 'must be an IP address or a host name, without a port')
/** Columns and parameters of queries are 32-bit integers. */
const amount = whole(1, 1_000_000_000)
const optional = z.string().min(1).optional()
const secretKey = z
  .base64()
  .refine((text) => Buffer.from(text, 'base64').length === 32, 'must be 32 bytes in base64')
  .optional()

/** Texts separated by commas; none by default. */
const commaSeparated = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== ''),
  )

/** `poshmark<0.3.0, depop`: platforms that the extension must not read, below a version or at all. */
const readingOff = commaSeparated
  .transform((some) => some.map((one) => one.split('<', 2).map((part) => part.trim())))
  .transform((some) => some.map(([slug, below]) => ({ slug, below: below ?? null })))
  .pipe(z.array(z.object({ slug: ExtensionSlug, below: ExtensionVersion.nullable() })))

/** Origins, separated by commas: scheme, host and port without a path. */
const origins = commaSeparated.pipe(
  z.array(z.string().refine(isOrigin, 'must be origins such as https://shop.example')),
)

/** `name=value,name=value`, percent-encoded, as OpenTelemetry specifies. */
const headers = commaSeparated
  .refine(
    (some) => some.every((one) => /^[\w!#$%&'*+.^`|~-]+\s*=\s*\S/.test(one) && isPercentEncoded(one)),
    'must be headers such as authorization=Bearer%20secret, separated by commas',
  )
  .transform((some) => Object.fromEntries(some.map(readHeader)))

function readHeader(text: string): [string, string] {
  const at = text.indexOf('=')
  return [text.slice(0, at).trim(), decodeURIComponent(text.slice(at + 1).trim())]
}

function isPercentEncoded(text: string): boolean {
  return !/%(?![0-9a-f]{2})/i.test(text)
}

function hasNothingBehind(text: string): boolean {
  const address = URL.parse(text)
  return !address || `${address.username}${address.password}${address.search}${address.hash}` === ''
}

function isHost(text: string): boolean {
  return isIP(text) !== 0 || /^[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?$/i.test(text)
}

function isOrigin(text: string): boolean {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? '') && URL.parse(text)?.origin === text
}

/**
 * The settings by topic. Names are fixed, and defaults are the real services. `npm run settings` writes `.env.example` from
 * the descriptions.
 */
const settingGroups = {
  Server: {
    PUBLIC_URL: publicUrl
      .optional()
      .describe('The https address that sellers open. Links in mails name it. Default: HOST and PORT.'),
    PORT: port.default(8080).describe('The port for API and pages.'),
    HOST: host.default('127.0.0.1').describe('The address to listen at. In a container: `0.0.0.0`.'),
    ROLE: z
      .enum(['api', 'worker', 'all'])
      .default('all')
      .describe('The work of this process: requests (`api`), background work (`worker`), or both.'),
    TRUSTED_HOPS: whole(0, 10)
      .default(0)
      .describe('How many proxies each request passes. Limits count by the address that the outermost of them saw.'),
    API_ORIGINS: origins.describe(
      'Origins of browser apps that may call the API with a key, such as `https://shop.example`, separated by commas.',
    ),
    PUSH_HOSTS: commaSeparated.describe(
      'Hosts of push services besides those of Chrome, Edge, Firefox and Safari, separated by commas. A leading dot means any host below.',
    ),
    HSTS_DAYS: whole(0, 3_650)
      .default(730)
      .describe(
        'Days for which browsers remember to come by https only, to subdomains, too. 0 leaves that to your proxy.',
      ),
    INTERNAL_PORT: port
      .optional()
      .describe(
        'A port for `/healthz`, `/readyz` and `/metrics` of any role, for probes and Prometheus. Keep it off the internet.',
      ),
    INTERNAL_HOST: host.default('127.0.0.1').describe('The address of that port. In a container: `0.0.0.0`.'),
    SECRET_KEY: secretKey.describe(
      'Encrypts tokens and secrets in the database: 32 bytes in base64 (`openssl rand -base64 32`). Required outside of the sandbox.',
    ),
    SECRET_KEY_PREVIOUS: secretKey.describe(
      'During a rotation: the key that SECRET_KEY replaces, or is about to be replaced by. Values open with either.',
    ),
    PAUSED: flag
      .default('off')
      .describe('`on` starts without any effect elsewhere: nothing is sent, read or ended. For a restored copy.'),
    LOG_LEVEL: z
      .enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'])
      .default('info')
      .describe('The least grave entries that are logged.'),
    METRICS_TOKEN: z
      .string()
      .regex(/^[!-~]{16,}$/, 'must be at least 16 letters, digits or signs, without spaces')
      .optional()
      .describe('A bearer token that opens `/metrics` on the public port to other machines: 16 characters at least.'),
    OTEL_EXPORTER_OTLP_ENDPOINT: url
      .optional()
      .describe(
        'An OpenTelemetry collector, such as `http://collector:4318`, that gets traces of requests, jobs and calls of marketplaces.',
      ),
    OTEL_EXPORTER_OTLP_HEADERS: headers.describe(
      'Headers that the collector asks for, percent-encoded: `authorization=Bearer%20secret`, separated by commas.',
    ),
    REQUEST_BODIES_MB: whole(32, 100_000)
      .default(64)
      .describe('Megabytes of request bodies that a process holds at once; one client has a quarter of them.'),
    SANDBOX: flag.default('off').describe('`on` starts local stand-ins of all outside services. `npm start` sets it.'),
    DATA_DIR: z
      .string()
      .default('.data')
      .describe('The folder of the embedded PostgreSQL, the sandbox and, without a setting of their own, photos.'),
  },
  Photos: {
    IMAGES_DIR: optional.describe(
      'The folder of uploaded photos, shared by all processes. Default: `images` in DATA_DIR. Not used with S3_BUCKET_URL.',
    ),
    S3_BUCKET_URL: url
      .optional()
      .describe(
        'Keeps photos in a bucket of Amazon S3 or a compatible service: `https://bucket.s3.eu-central-1.amazonaws.com` or `https://s3.example.com/bucket`.',
      ),
    S3_REGION: z.string().min(1).default('us-east-1').describe('The region of the bucket, which signatures name.'),
    S3_ACCESS_KEY_ID: optional.describe('A key that may read, write and delete objects. Needed with S3_BUCKET_URL.'),
    S3_SECRET_ACCESS_KEY: optional.describe('Its secret. Needed with S3_BUCKET_URL.'),
    IMAGE_COPIES: flag
      .default('on')
      .describe(
        '`on` copies the photos of imported items from the marketplaces, so that they outlive the listing. About 2.3 GB for 1,000 items.',
      ),
    QUOTA_IMAGES_MB: amount.default(10_000).describe('Megabytes of photos of one account, all sizes together.'),
  },
  Database: {
    DATABASE_URL: optional.describe(
      '`postgres://user:password@host:5432/name`. Default: an embedded PostgreSQL in DATA_DIR.',
    ),
    DATABASE_DIRECT_URL: optional.describe(
      'The address of PostgreSQL itself, where your host sets DATABASE_URL to a pooler such as PgBouncer. It is then used alone.',
    ),
    DATABASE_POOL: whole(2, 1_000)
      .default(20)
      .describe('Connections of one process for requests. A `worker` uses 4 of them.'),
    DATABASE_WORK_POOL: whole(2, 1_000)
      .optional()
      .describe(
        'Connections of one process for background work. Default: 3 for each core, from 6 to 20. An `api` uses 4 of them.',
      ),
  },
  Accounts: {
    REGISTRATION: z
      .enum(['open', 'invited', 'closed'])
      .default('open')
      .describe(
        'Who may make an account: anybody (`open`), the first one and whom its owner invites (`invited`), or nobody (`closed`).',
      ),
    TRIAL_DAYS: whole(0, 3650).default(14).describe('Days for which a new account may list without a subscription.'),
    SESSION_IDLE_DAYS: z.coerce
      .number()
      .positive()
      .max(3650)
      .default(30)
      .describe('Days without use after which a session ends.'),
    SESSION_MAX_DAYS: z.coerce
      .number()
      .positive()
      .max(3650)
      .default(90)
      .describe('Days after which a session ends in any case.'),
    BREACHED_PASSWORDS_URL: url
      .optional()
      .describe(
        'A service that knows breached passwords by the range of their SHA-1, such as `https://api.pwnedpasswords.com`.',
      ),
    AUDIT_DAYS: whole(1, 3_650).default(180).describe('Days that entries of the audit trail are kept.'),
    OPERATOR_NAME: optional.describe('The name that the privacy page gives for questions.'),
    OPERATOR_EMAIL: z.email().optional().describe('The address for questions, and for warnings of eBay.'),
  },
  'Mail and texts': {
    SMTP_URL: optional.describe('`smtps://user:password@host:465`. Required outside of the sandbox.'),
    MAIL_FROM: z
      .string()
      .default('Hapax <no-reply@localhost>')
      .describe('The sender of mails. Required outside of the sandbox.'),
    TWILIO_ACCOUNT_SID: optional.describe('The Twilio account that sends texts.'),
    TWILIO_AUTH_TOKEN: optional.describe('Its token. Needed with TWILIO_ACCOUNT_SID.'),
    TWILIO_FROM: optional.describe('The number that sends, unless there is a messaging service.'),
    TWILIO_MESSAGING_SERVICE_SID: z
      .string()
      .regex(/^MG[0-9a-f]{32}$/, 'must be the SID of a messaging service, MG and 32 hex digits')
      .optional()
      .describe('Sends from a registered A2P 10DLC campaign. US carriers drop texts from an unregistered number.'),
    SMS_COUNTRIES: z
      .string()
      .default('+1')
      .transform((text) => text.split(',').map((prefix) => prefix.trim()))
      .describe('Country codes that texts go to, such as `+1,+44`.'),
  },
  'Sale mail': {
    SALE_MAIL_DOMAIN: host
      .optional()
      .describe(
        'The domain of the addresses to which sellers forward sale mails. Its MX record leads to SALE_MAIL_PORT.',
      ),
    SALE_MAIL_PORT: port
      .optional()
      .describe(
        'The port at HOST that takes sale mails by SMTP, in each `worker`. Let port 25 of the domain lead to it. Off without.',
      ),
    SALE_MAIL_CERT_FILE: optional.describe(
      "The certificate chain of the domain (PEM), for STARTTLS. Without one, the mail library's own is shown.",
    ),
    SALE_MAIL_KEY_FILE: optional.describe('Its key. Needed with SALE_MAIL_CERT_FILE.'),
  },
  eBay: {
    EBAY_CLIENT_ID: optional.describe('The App ID of the keyset.'),
    EBAY_CLIENT_SECRET: optional.describe('The Cert ID. Needed with EBAY_CLIENT_ID.'),
    EBAY_RU_NAME: optional.describe('The RuName that leads back to Hapax. Needed with EBAY_CLIENT_ID.'),
    EBAY_VERIFICATION_TOKEN: z
      .string()
      .regex(/^[\w-]{32,80}$/, 'must be 32 to 80 letters, digits, _ or -')
      .optional()
      .describe('Proves to eBay that its notices reach you: 32 to 80 characters.'),
    EBAY_DAILY_CALLS: amount
      .default(5_000)
      .describe("Calls of the Trading API in a day that eBay grants the keyset. Set it after eBay's Growth Check."),
  },
  Etsy: {
    ETSY_CLIENT_ID: optional.describe('The keystring of the app.'),
    ETSY_CLIENT_SECRET: optional.describe('The shared secret. Etsy refuses calls without it.'),
    ETSY_WEBHOOK_SECRET: optional.describe('The signing secret of the webhook.'),
    ETSY_DAILY_CALLS: amount
      .default(10_000)
      .describe(
        'Calls in any 24 hours that Etsy grants the app. Set it once Etsy has raised them: orders are then read more often.',
      ),
    ETSY_CALLS_PER_SECOND: amount.default(10).describe('Calls in a second that Etsy grants the app.'),
  },
  'Sign in with Apple': {
    APPLE_CLIENT_ID: optional.describe('The bundle id of the iOS app.'),
    APPLE_SERVICES_ID: optional.describe('The Services ID that web pages sign in with.'),
    APPLE_REDIRECT_URI: link.optional().describe('The return URL with which codes of the Services ID are redeemed.'),
    APPLE_TEAM_ID: optional.describe('The team of the developer account.'),
    APPLE_KEY_ID: optional.describe('The id of the key. Needed with APPLE_TEAM_ID.'),
    APPLE_PRIVATE_KEY: optional.describe('The text of the .p8 file. Needed with APPLE_TEAM_ID.'),
  },
  Stripe: {
    STRIPE_SECRET_KEY: optional.describe('The secret key.'),
    STRIPE_WEBHOOK_SECRET: optional.describe('The signing secret of the webhook.'),
    STRIPE_PRICE_ID: z
      .string()
      .regex(/^price_\w+$/, 'must be the id of a price, price_…, not of a product')
      .optional()
      .describe('The recurring price that a seller pays. Needs both other settings.'),
  },
  'Platforms and quotas': {
    READING_OFF: readingOff.describe(
      'Platforms whose pages changed, such as `poshmark<0.3.0, depop`: extensions below the version, or all, stop reading there.',
    ),
    QUOTA_ITEMS: amount.default(50_000).describe('Items of one account.'),
  },
  'Browser extension': {
    EXTENSION_CHROME_URL: link.optional().describe('Its address in the Chrome Web Store, linked for newcomers.'),
    EXTENSION_EDGE_URL: link.optional().describe('Its address in the Edge Add-ons store.'),
    EXTENSION_FIREFOX_URL: link.optional().describe('Its address at Firefox Add-ons.'),
  },
}

/**
 * Values that the sandbox, tests and laboratories replace: addresses of stand-ins, paces and bounds. They are no settings of
 * an operator, so `.env.example` leaves them out.
 */
const replaceable = {
  EBAY_AUTH_URL: url.default('https://auth.ebay.com').describe("eBay's sign-in."),
  EBAY_API_URL: url.default('https://api.ebay.com').describe("eBay's APIs."),
  EBAY_APIZ_URL: url.default('https://apiz.ebay.com').describe("eBay's identity API."),
  ETSY_AUTH_URL: url.default('https://www.etsy.com').describe("Etsy's sign-in."),
  ETSY_API_URL: url.default('https://openapi.etsy.com').describe("Etsy's API."),
  APPLE_URL: url.default('https://appleid.apple.com').describe('The address of Apple.'),
  STRIPE_URL: url.default('https://api.stripe.com').describe('The address of Stripe.'),
  TWILIO_URL: url.default('https://api.twilio.com').describe('The address of Twilio.'),
  SALE_MAIL_DNS: z
    .string()
    .refine((text) => nameServerAddress(text) !== null, 'must be an IP address and a port, such as 127.0.0.1:53')
    .optional()
    .describe("The name server that is asked for keys of signatures, as `host:port`. Default: the system's."),
  ORDER_POLL_SECONDS: whole(1, 86_400)
    .default(60)
    .describe('The shortest time between two readings of the orders of one shop.'),
  PLATFORM_LIMITS: z
    .enum(['auto', 'documented', 'off'])
    .default('auto')
    .describe(
      "`auto` keeps the platforms' documented limits at their real addresses, and what answers tell elsewhere.",
    ),
  QUOTA_ITEM_MB: amount.default(2_000).describe('Megabytes of text of its items.'),
  QUOTA_FOUND_MB: amount.default(2_000).describe('Megabytes of listings that its imports read in 30 days.'),
  QUOTA_IMPORTS_PER_DAY: amount.default(200).describe('Imports of one account in a day.'),
  QUOTA_WRITTEN_MB_PER_DAY: amount.default(2_000).describe('Megabytes of requests of one account in a day.'),
}

/** The environment: what a process is told. */
const Environment = z.object({
  ...settingGroups.Server,
  ...settingGroups.Photos,
  ...settingGroups.Database,
  ...settingGroups.Accounts,
  ...settingGroups['Mail and texts'],
  ...settingGroups['Sale mail'],
  ...settingGroups.eBay,
  ...settingGroups.Etsy,
  ...settingGroups['Sign in with Apple'],
  ...settingGroups.Stripe,
  ...settingGroups['Platforms and quotas'],
  ...settingGroups['Browser extension'],
  ...replaceable,
})

/** Taking payments needs the key to ask for them and the secret to hear of them. */
const Whole = Environment.superRefine(({ STRIPE_PRICE_ID, STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET }, context) => {
  if (!STRIPE_PRICE_ID || (STRIPE_SECRET_KEY && STRIPE_WEBHOOK_SECRET)) return
  const message = 'needs STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET too'
  context.addIssue({ code: 'custom', path: ['STRIPE_PRICE_ID'], message })
})

/** A bucket needs its keys. */
const Stored = Whole.superRefine(({ S3_BUCKET_URL, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY }, context) => {
  if (!S3_BUCKET_URL || (S3_ACCESS_KEY_ID && S3_SECRET_ACCESS_KEY)) return
  const message = 'needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY too'
  context.addIssue({ code: 'custom', path: ['S3_BUCKET_URL'], message })
})

/** Two servers of a process cannot share a port. */
const Apart = Stored.superRefine(({ ROLE, HOST, PORT, INTERNAL_HOST, INTERNAL_PORT }, context) => {
  if (ROLE === 'worker' || INTERNAL_PORT === undefined || INTERNAL_PORT !== PORT || PORT === 0) return
  const overlap =
    HOST === INTERNAL_HOST ||
    [HOST, INTERNAL_HOST].some((one) => unspecified.includes(one)) ||
    (isLoopback(HOST) && isLoopback(INTERNAL_HOST))
  if (overlap) context.addIssue({ code: 'custom', path: ['INTERNAL_PORT'], message: 'must differ from PORT' })
})

/** Addresses that mean all of the machine's. */
const unspecified = ['0.0.0.0', '::', '0:0:0:0:0:0:0:0']

/** The sandbox shows every reset link, so it must be reachable from this machine only. */
const Local = Apart.superRefine(({ SANDBOX, HOST, PUBLIC_URL }, context) => {
  if (SANDBOX !== 'on') return
  const message = 'must be a loopback address in the sandbox. To serve others, set SANDBOX=off and real credentials'
  if (!isLoopback(HOST)) context.addIssue({ code: 'custom', path: ['HOST'], message })
  else if (PUBLIC_URL && !isLoopback(new URL(PUBLIC_URL).hostname))
    context.addIssue({ code: 'custom', path: ['PUBLIC_URL'], message })
})

/** The names of all settings. */
export const settingNames: readonly string[] = Object.keys(Environment.shape)

export interface Setting {
  name: string
  description: string
  /** As it is written in the environment; null without one. */
  default: string | null
}

/** Returns the settings by topic, for documentation. */
export function listSettings(): { topic: string; settings: Setting[] }[] {
  const given = z.toJSONSchema(Environment, { io: 'input', unrepresentable: 'any' }).properties ?? {}
  return Object.entries(settingGroups).map(([topic, shape]) => ({
    topic,
    settings: Object.entries(shape).map(([name, { description }]) => {
      const schema = given[name] as { default?: string | number }
      return {
        name,
        description: description ?? '',
        default: schema.default === undefined ? null : String(schema.default),
      }
    }),
  }))
}

export interface Config extends z.infer<typeof Environment> {
  PUBLIC_URL: string
  DATA_DIR: string
  /** PostgreSQL itself, whichever setting names it. */
  DATABASE_URL: string | undefined
  sandbox: boolean
  /**
   * The key of keyed hashes, in base64. Stored encrypted in the database, so that hashes survive a rotation of
   * SECRET_KEY.
   */
  hashKey?: string
}

/** Returns the key of keyed hashes; SECRET_KEY if no database is open. */
export const hashKeyOf = ({ hashKey, SECRET_KEY }: Config) => hashKey ?? SECRET_KEY

/**
 * Reads and validates the environment; nothing else does. Throws an error that names every invalid variable, never its
 * value.
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  // Files of settings from other systems end their lines with a carriage return.
  const given = Object.fromEntries(
    Object.entries(environment).flatMap(([name, value = '']) => (value.trim() === '' ? [] : [[name, value.trim()]])),
  )
  const quoted = settingNames.filter((name) => /^(["']).*\1$/s.test(given[name] ?? ''))
  const parsed = Local.safeParse(given)
  const faults = [
    // Docker passes the quotes of an --env-file on.
    ...quoted.map((name) => `${name}: must not have quotes around it`),
    ...(parsed.error?.issues ?? [])
      .filter(({ path }) => !quoted.includes(String(path[0])))
      .map((issue) => `${issue.path.join('.')}: ${fault(issue)}`),
  ]
  if (faults.length > 0 || !parsed.success) {
    throw new Error(`The environment is not valid:\n  ${[...new Set(faults)].join('\n  ')}`)
  }
  const values = parsed.data
  return {
    ...values,
    DATABASE_URL: values.DATABASE_DIRECT_URL ?? values.DATABASE_URL,
    DATA_DIR: resolve(values.DATA_DIR),
    PUBLIC_URL:
      values.PUBLIC_URL ?? `http://${values.HOST.includes(':') ? `[${values.HOST}]` : values.HOST}:${values.PORT}`,
    sandbox: values.SANDBOX === 'on',
  }
}

/** Says in words what a setting must be. */
function fault(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return 'must be a number'
    case 'too_small':
      return `must be at least ${issue.minimum}`
    case 'too_big':
      return `must be at most ${issue.maximum}`
    case 'invalid_value':
      return `must be one of ${issue.values.join(', ')}`
    case 'invalid_format':
      return formats[issue.format] ?? issue.message
    default:
      return issue.message
  }
}

const formats: Record<string, string> = {
  url: 'must be an address that begins with http:// or https://',
  email: 'must be an e-mail address',
  base64: 'must be 32 bytes in base64',
}
