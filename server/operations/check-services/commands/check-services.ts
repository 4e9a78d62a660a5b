import { pathToFileURL } from 'node:url'
import { type Config, readConfig } from '#server/config.ts'
import type { Fetch } from '#server/infra/fetch.ts'
import { createPlatforms } from '#server/integrations/registry.ts'
import { platformOf } from '#shared/platforms.ts'
import { checkApplication } from '../check-application.ts'
import { checkSeller } from '../check-seller.ts'
import { printNextSteps } from '../next-step.ts'
import { createReport } from '../report.ts'

interface CheckOptions {
  environment: Record<string, string | undefined>
  fetch: Fetch
  write: (line: string) => void
}

/** A seller's access tokens, which only this command reads. */
const sellerTokens = [
  ['ebay', 'EBAY_SELLER_TOKEN'],
  ['etsy', 'ETSY_SELLER_TOKEN'],
] as const

/**
 * Checks the configured services in turn, changing nothing, and prints a line per step and what to do next. Returns the
 * exit code: 0 if every step that ran passed, 1 if one failed, 2 if none ran. Throws for invalid settings.
 */
export async function checkServices(options: CheckOptions): Promise<0 | 1 | 2> {
  const { environment, fetch, write } = options
  const config = readConfig(environment)
  const platforms = createPlatforms({ config, fetch })
  const report = createReport(write, secretsOf(config, environment))
  await checkApplication({ config, platforms, fetch, report })
  for (const [slug, setting] of sellerTokens) {
    const adapter = platforms.get(slug)
    const accessToken = environment[setting]
    const { name } = platformOf(slug)
    if (!accessToken) report.skip(`${name}: seller, listings, orders`, `set ${setting}`)
    else if (!adapter) report.skip(`${name}: seller, listings, orders`, 'the application is not configured')
    else await checkSeller({ adapter, accessToken, report })
  }
  printNextSteps({ config, report })
  return report.exitCode()
}

/** Returns every secret, raw and as it is sent, so that none is printed. */
function secretsOf(config: Config, environment: Record<string, string | undefined>): string[] {
  const basic = (user: string | undefined, password: string | undefined) =>
    user && password ? Buffer.from(`${user}:${password}`).toString('base64') : undefined
  const password = config.SMTP_URL && URL.canParse(config.SMTP_URL) ? new URL(config.SMTP_URL).password : undefined
  const all = [
    ...[config.EBAY_CLIENT_SECRET, config.ETSY_CLIENT_SECRET, config.APPLE_PRIVATE_KEY, config.TWILIO_AUTH_TOKEN],
    ...[config.STRIPE_SECRET_KEY, config.STRIPE_WEBHOOK_SECRET, config.SMTP_URL, password],
    ...[password && decodeURIComponent(password), ...sellerTokens.map(([, setting]) => environment[setting])],
    basic(config.EBAY_CLIENT_ID, config.EBAY_CLIENT_SECRET),
    basic(config.TWILIO_ACCOUNT_SID, config.TWILIO_AUTH_TOKEN),
  ]
  return all.filter((secret) => secret !== undefined && secret.length > 0) as string[]
}

/** Run as a program. */
if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  checkServices({ environment: process.env, fetch, write: (line) => process.stdout.write(`${line}\n`) }).then(
    (exitCode) => {
      process.exitCode = exitCode
    },
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
      process.exitCode = 2
    },
  )
}
