import { createHash, randomBytes } from 'node:crypto'
import { errors } from 'jose'
import { openStripe } from '#server/accounts/billing/stripe.ts'
import { createAppleClient } from '#server/accounts/sign-in/apple/client.ts'
import { createAppleKeys } from '#server/accounts/sign-in/apple/keys.ts'
import type { Config } from '#server/config.ts'
import { HttpProblem } from '#server/infra/errors.ts'
import { boundedFetch, type Fetch } from '#server/infra/fetch.ts'
import { createLog } from '#server/infra/log/log.ts'
import { openSmtp } from '#server/infra/mail-sms/transports.ts'
import { readTwilioAccount } from '#server/infra/mail-sms/twilio.ts'
import { createApplicationToken } from '#server/integrations/ebay/application-token.ts'
import { challengeResponse } from '#server/integrations/ebay/push/push.ts'
import { createEtsy } from '#server/integrations/etsy/client.ts'
import { ping } from '#server/integrations/etsy/ping.ts'
import { TaxonomyAnswer } from '#server/integrations/etsy/wire.ts'
import { createExchange } from '#server/integrations/http.ts'
import type { PlatformAdapter } from '#server/integrations/port.ts'
import { isPublic, steps } from './next-step.ts'
import type { Report } from './report.ts'

interface ApplicationCheck {
  config: Config
  platforms: ReadonlyMap<string, PlatformAdapter>
  fetch: Fetch
  report: Report
}

/** Checks each service as far as that is possible without a seller. */
export async function checkApplication(check: ApplicationCheck): Promise<void> {
  await checkEndpoint(check)
  await checkEbay(check)
  await checkEtsy(check)
  await checkApple(check)
  await checkTwilio(check)
  await checkMail(check)
  await checkStripe(check)
}

/** Returns the names of unset settings; null if all are set. */
function missing(config: Config, ...names: (keyof Config)[]): string | null {
  const absent = names.filter((name) => !config[name])
  return absent.length === 0 ? null : `set ${absent.join(', ')}`
}

/** Asks the server at PUBLIC_URL what eBay will ask it before it enables a keyset. */
async function checkEndpoint({ config, fetch, report }: ApplicationCheck): Promise<void> {
  const { EBAY_VERIFICATION_TOKEN: token, PUBLIC_URL } = config
  if (!token || !isPublic(PUBLIC_URL)) return
  const endpoint = `${PUBLIC_URL}/webhooks/ebay/account-deletion/`
  await report.step(steps.ebayEndpoint, async () => {
    const code = randomBytes(16).toString('hex')
    const answer = await boundedFetch(fetch, 'service')(`${endpoint}?challenge_code=${code}`)
    const body: unknown = answer.status === 200 ? await answer.json() : null
    const { challengeResponse: given } = (body ?? {}) as { challengeResponse?: unknown }
    if (given !== challengeResponse(code, token, endpoint))
      throw new Error(`It answered ${answer.status}, and not as asked.`)
  })
}

async function checkEbay({ config, platforms, fetch, report }: ApplicationCheck): Promise<void> {
  const token = steps.ebayToken
  const taxonomy = 'eBay: categories'
  const keyset = missing(config, 'EBAY_CLIENT_ID', 'EBAY_CLIENT_SECRET')
  const all = missing(config, 'EBAY_CLIENT_ID', 'EBAY_CLIENT_SECRET', 'EBAY_RU_NAME')
  if (keyset !== null) {
    report.skip(token, keyset)
    report.skip(taxonomy, all ?? '')
    return
  }
  const application = createApplicationToken({
    clientId: config.EBAY_CLIENT_ID ?? '',
    clientSecret: config.EBAY_CLIENT_SECRET ?? '',
    apiUrl: config.EBAY_API_URL,
    exchange: createExchange({ platform: 'ebay', fetch, way: 'ebay' }),
    clock: () => performance.now(),
  })
  const accessToken = await report.step(token, () => application.read())
  const listings = platforms.get('ebay')?.listings
  if (accessToken === null || !listings) {
    report.skip(taxonomy, all ?? 'the token is needed')
    return
  }
  const shop = { external_id: 'application', external_name: 'application', url: config.EBAY_API_URL }
  const search = { words: 'film camera', country: 'US', marketplace_id: null }
  await report.step(
    taxonomy,
    async () => {
      const found = await listings.searchCategories({ accessToken, shop }, search)
      if (found.length === 0) throw new Error('eBay suggests no category for "film camera".')
      return found
    },
    ([first]) => `"film camera" is ${first?.name}`,
  )
}

async function checkEtsy({ config, fetch, report }: ApplicationCheck): Promise<void> {
  const key = steps.etsyKey
  const taxonomy = 'Etsy: categories'
  const needs = missing(config, 'ETSY_CLIENT_ID', 'ETSY_CLIENT_SECRET')
  if (needs !== null) {
    for (const name of [key, taxonomy]) report.skip(name, needs)
    return
  }
  const etsy = createEtsy({
    apiUrl: config.ETSY_API_URL,
    clientId: config.ETSY_CLIENT_ID ?? '',
    sharedSecret: config.ETSY_CLIENT_SECRET ?? '',
    exchange: createExchange({ platform: 'etsy', fetch, way: 'etsy' }),
  })
  await report.step(key, () => ping(etsy))
  await report.step(
    taxonomy,
    () => etsy({ call: 'the list of categories', path: '/seller-taxonomy/nodes' }, TaxonomyAnswer),
    ({ results }) => `${results.length} at the top`,
  )
}

async function checkApple({ config, fetch, report }: ApplicationCheck): Promise<void> {
  const keys = 'Apple: public keys'
  const secret = 'Apple: client secret'
  const needs = missing(config, 'APPLE_TEAM_ID', 'APPLE_KEY_ID', 'APPLE_PRIVATE_KEY')
  const clientIds = [config.APPLE_CLIENT_ID, config.APPLE_SERVICES_ID].filter((id) => id !== undefined)
  if (needs !== null || clientIds.length === 0) {
    for (const name of [keys, secret]) report.skip(name, needs ?? 'set APPLE_CLIENT_ID or APPLE_SERVICES_ID')
    return
  }
  // Apple's refusals appear in the log only.
  let logged = ''
  const log = createLog('warn', {
    write(line) {
      const { err, status, apple_error } = JSON.parse(line)
      logged = err?.message ?? `HTTP ${status}, ${apple_error ?? 'no reason given'}`
    },
  })
  const now = () => new Date()
  await report.step(keys, async () => {
    const find = createAppleKeys({ url: config.APPLE_URL, fetch, log, now })
    const error: unknown = await find({ alg: 'RS256', kid: 'a key that Apple does not have' }).catch((thrown) => thrown)
    if (!(error instanceof errors.JWKSNoMatchingKey)) {
      throw new Error(`Apple's keys could not be read: ${logged}.`, { cause: error })
    }
  })
  const client = createAppleClient({ config, fetch, log, now })
  for (const clientId of clientIds) {
    await report.step(`${secret} of ${clientId}`, async () => {
      // Apple authenticates the client before it looks at the code.
      const identity = {
        subject: 'nobody',
        clientId,
        email: null,
        tokenHash: createHash('sha256').digest(),
        expiresAt: now(),
      }
      const error: unknown = await client
        ?.redeem('a code that Apple never gave', identity)
        .catch((thrown: unknown) => thrown)
      if (error instanceof HttpProblem && error.code === 'invalid_identity_token') return
      throw new Error(`Apple did not take the client secret: ${logged || 'it could not be reached'}.`)
    })
  }
}

async function checkTwilio({ config, fetch, report }: ApplicationCheck): Promise<void> {
  const name = 'Twilio: account'
  const { TWILIO_ACCOUNT_SID: accountSid, TWILIO_AUTH_TOKEN: authToken } = config
  if (!accountSid || !authToken) {
    report.skip(name, missing(config, 'TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN') ?? '')
    return
  }
  await report.step(name, async () => {
    const status = await readTwilioAccount({ url: config.TWILIO_URL, accountSid, authToken, fetch })
    if (status !== 'active') throw new Error(`The account is ${status}.`)
  })
}

async function checkMail({ config, report }: ApplicationCheck): Promise<void> {
  const name = 'Mail: connection and sign-in'
  const transport = openSmtp(config)
  if (!transport) {
    report.skip(name, 'set SMTP_URL')
    return
  }
  await report.step(name, () => transport.verify())
  transport.close()
}

async function checkStripe({ config, fetch, report }: ApplicationCheck): Promise<void> {
  const name = 'Stripe: price'
  const { STRIPE_PRICE_ID: id } = config
  const stripe = await openStripe({ config, fetch })
  if (!stripe || !id) {
    report.skip(name, missing(config, 'STRIPE_SECRET_KEY', 'STRIPE_PRICE_ID', 'STRIPE_WEBHOOK_SECRET') ?? '')
    return
  }
  await report.step(
    name,
    async () => {
      const price = await stripe.prices.retrieve(id)
      if (!price.recurring) throw new Error(`${id} is not a recurring price.`)
      if (!price.active) throw new Error(`${id} is archived.`)
      return price
    },
    ({ currency, unit_amount, recurring }) =>
      `${unit_amount ?? '?'} in the smallest unit of ${currency}, each ${recurring?.interval}`,
  )
}
