import { resolve } from 'node:path'
import { z } from 'zod'
import { isLoopback } from '#server/infra/loopback.ts'
import { ExtensionVersion } from '#shared/contract/extension.ts'
import { ExtensionSlug } from '#shared/platforms.ts'

const flag = z.enum(['on', 'off'])
const port = z.coerce.number().int().min(0).max(65_535)
const url = z.url({ protocol: /^https?$/ }).transform((value) => value.replace(/\/$/, ''))
const amount = z.coerce.number().int().min(1)
const optional = z.string().min(1).optional()
const secretKey = z
  .base64()
  .refine((text) => Buffer.from(text, 'base64').length === 32, 'must be 32 bytes in base64')
  .optional()

/** `poshmark<0.3.0, depop`: platforms that the extension must not read, below a version or at all. */
const readingOff = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== ''),
  )
  .transform((some) => some.map((one) => one.split('<', 2).map((part) => part.trim())))
  .transform((some) => some.map(([slug, below]) => ({ slug, below: below ?? null })))
  .pipe(z.array(z.object({ slug: ExtensionSlug, below: ExtensionVersion.nullable() })))

/** The environment. The defaults are the real services. */
const Environment = z.object({
  PORT: port.default(8080),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: url.optional(),
  DATABASE_URL: optional,
  /** Database connections per process, for requests and for background work. */
  DATABASE_POOL: z.coerce.number().int().min(2).max(1_000).default(20),
  DATABASE_WORK_POOL: z.coerce.number().int().min(2).max(1_000).default(20),
  /** Megabytes of request bodies held by one process. One client may use a quarter; the largest body is 8 MB. */
  REQUEST_BODIES_MB: z.coerce.number().int().min(32).max(100_000).default(64),
  DATA_DIR: z.string().default('.data'),
  SECRET_KEY: secretKey,
  /** During a rotation: the key before or after SECRET_KEY. Values decrypt with either. */
  SECRET_KEY_PREVIOUS: secretKey,
  ROLE: z.enum(['api', 'worker', 'all']).default('all'),
  TRUSTED_HOPS: z.coerce.number().int().min(0).max(10).default(0),
  /** Days until a session ends, without use and in any case. */
  SESSION_IDLE_DAYS: z.coerce.number().positive().max(3650).default(30),
  SESSION_MAX_DAYS: z.coerce.number().positive().max(3650).default(90),
  /** Minutes after which a sensitive change requires authentication again. */
  REAUTHENTICATE_AFTER_MINUTES: z.coerce.number().positive().max(5_256_000).default(1440),
  /** A service that finds breached passwords by SHA-1 prefix, such as https://api.pwnedpasswords.com. */
  BREACHED_PASSWORDS_URL: url.optional(),
  TRIAL_DAYS: z.coerce.number().int().min(0).max(3650).default(14),
  LOG_LEVEL: z.enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace']).default('info'),
  SANDBOX: flag.default('off'),
  EBAY_CLIENT_ID: optional,
  EBAY_CLIENT_SECRET: optional,
  EBAY_RU_NAME: optional,
  EBAY_AUTH_URL: url.default('https://auth.ebay.com'),
  EBAY_API_URL: url.default('https://api.ebay.com'),
  EBAY_APIZ_URL: url.default('https://apiz.ebay.com'),
  ETSY_CLIENT_ID: optional,
  ETSY_CLIENT_SECRET: optional,
  ETSY_AUTH_URL: url.default('https://www.etsy.com'),
  ETSY_API_URL: url.default('https://openapi.etsy.com'),
  /** The bundle id of the iOS app. */
  APPLE_CLIENT_ID: optional,
  /** The Services ID of web pages; their codes are redeemed with APPLE_REDIRECT_URI. */
  APPLE_SERVICES_ID: optional,
  APPLE_REDIRECT_URI: url.optional(),
  APPLE_TEAM_ID: optional,
  APPLE_KEY_ID: optional,
  APPLE_PRIVATE_KEY: optional,
  APPLE_URL: url.default('https://appleid.apple.com'),
  /** Name and address for questions, shown on the privacy page. */
  OPERATOR_NAME: optional,
  OPERATOR_EMAIL: z.email().optional(),
  SMTP_URL: optional,
  MAIL_FROM: z.string().default('Hapax <no-reply@localhost>'),
  TWILIO_ACCOUNT_SID: optional,
  TWILIO_AUTH_TOKEN: optional,
  TWILIO_FROM: optional,
  /** Sends from a registered A2P 10DLC campaign; US carriers drop texts from an unregistered number. */
  TWILIO_MESSAGING_SERVICE_SID: z
    .string()
    .regex(/^MG[0-9a-f]{32}$/, 'must be the SID of a messaging service, MG and 32 hex digits')
    .optional(),
  TWILIO_URL: url.default('https://api.twilio.com'),
  SMS_COUNTRIES: z
    .string()
    .default('+1')
    .transform((text) => text.split(',').map((prefix) => prefix.trim())),
  STRIPE_SECRET_KEY: optional,
  STRIPE_WEBHOOK_SECRET: optional,
  /** The recurring Stripe price that sellers pay. */
  STRIPE_PRICE_ID: z
    .string()
    .regex(/^price_\w+$/, 'must be the id of a price, price_…, not of a product')
    .optional(),
  STRIPE_URL: url.default('https://api.stripe.com'),
  ETSY_WEBHOOK_SECRET: optional,
  EBAY_VERIFICATION_TOKEN: optional,
  METRICS_TOKEN: optional,
  /** Days that audit entries are kept. */
  AUDIT_DAYS: z.coerce.number().int().min(1).max(3_650).default(180),
  ORDER_POLL_SECONDS: z.coerce.number().int().min(1).default(60),
  /** Quotas per account, since all accounts share a disk. */
  QUOTA_ITEMS: amount.default(50_000),
  QUOTA_ITEM_MB: amount.default(2_000),
  QUOTA_FOUND_MB: amount.default(2_000),
  QUOTA_IMPORTS_PER_DAY: amount.default(200),
  QUOTA_WRITTEN_MB_PER_DAY: amount.default(2_000),
  /** Platforms that the extension must not read until it understands their pages again. */
  READING_OFF: readingOff,
  /** `auto`: documented limits for the platforms' real addresses; for any other, the limits in their responses. */
  PLATFORM_LIMITS: z.enum(['auto', 'documented', 'off']).default('auto'),
})

/** Selling subscriptions requires access to Stripe and its webhook. */
const Whole = Environment.superRefine(({ STRIPE_PRICE_ID, STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET }, context) => {
  if (!STRIPE_PRICE_ID || (STRIPE_SECRET_KEY && STRIPE_WEBHOOK_SECRET)) return
  const message = 'needs STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET too'
  context.addIssue({ code: 'custom', path: ['STRIPE_PRICE_ID'], message })
})

/** The sandbox shows every reset link, so it must be reachable from this machine only. */
const Local = Whole.superRefine(({ SANDBOX, HOST, PUBLIC_URL }, context) => {
  if (SANDBOX !== 'on') return
  const message = 'must be a loopback address in the sandbox. To serve others, set SANDBOX=off and real credentials'
  if (!isLoopback(HOST)) context.addIssue({ code: 'custom', path: ['HOST'], message })
  else if (PUBLIC_URL && !isLoopback(new URL(PUBLIC_URL).hostname))
    context.addIssue({ code: 'custom', path: ['PUBLIC_URL'], message })
})

/** The names of all settings. */
export const settingNames: readonly string[] = Object.keys(Environment.shape)

export interface Config extends z.infer<typeof Environment> {
  PUBLIC_URL: string
  DATA_DIR: string
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
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const parsed = Local.safeParse(given)
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
    throw new Error(`The environment is not valid:\n  ${faults.join('\n  ')}`)
  }
  const values = parsed.data
  return {
    ...values,
    DATA_DIR: resolve(values.DATA_DIR),
    PUBLIC_URL:
      values.PUBLIC_URL ?? `http://${values.HOST.includes(':') ? `[${values.HOST}]` : values.HOST}:${values.PORT}`,
    sandbox: values.SANDBOX === 'on',
  }
}
