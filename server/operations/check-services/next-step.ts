import type { Config } from '#server/config.ts'
import { isLoopback } from '#server/infra/loopback.ts'
import type { Report } from './report.ts'

/** Steps of the report that the next steps follow from. */
export const steps = {
  ebayToken: 'eBay: token of the application',
  ebayEndpoint: 'eBay: account deletion endpoint',
  ebaySeller: 'eBay: seller',
  etsyKey: 'Etsy: key and shared secret',
  etsySeller: 'Etsy: seller',
} as const

interface Progress {
  config: Config
  report: Pick<Report, 'next' | 'wentWell' | 'hasFailed'>
}

/** The remedy where a service refuses or does not answer. */
const remedies: Record<string, string> = {
  Apple:
    'At developer.apple.com see that Sign in with Apple is on for each client id, and that APPLE_KEY_ID and APPLE_PRIVATE_KEY are one key of the team APPLE_TEAM_ID.',
  Twilio:
    'Copy Account SID and auth token of one account from console.twilio.com, and read there whether the account is active.',
  Mail: 'Ask the provider of SMTP_URL for host, port, user and password, and see that this machine may connect there.',
  Stripe:
    'Copy the secret key of the live account to STRIPE_SECRET_KEY, and the id of an active recurring price of it to STRIPE_PRICE_ID.',
}

/**
 * Prints the first step that is still missing before a seller's own shop works, for eBay and for Etsy, and the remedy
 * for each other service that refused.
 */
export function printNextSteps(progress: Progress): void {
  for (const [service, stepsOf] of [
    ['eBay', ebaySteps],
    ['Etsy', etsySteps],
  ] as const) {
    const [first] = stepsOf(progress)
    if (first !== undefined) progress.report.next(service, first)
  }
  for (const [service, remedy] of Object.entries(remedies)) {
    if (progress.report.hasFailed(service)) progress.report.next(service, remedy)
  }
}

/** Whether a marketplace can reach an address: over https, and not on this machine or in a home network. */
export function isPublic(address: string): boolean {
  const { protocol, hostname } = new URL(address)
  const isPrivate = /^(10|192\.168|172\.(1[6-9]|2\d|3[01]))\.|^\[f[cd]|\.(local|internal|lan)$/.test(hostname)
  return protocol === 'https:' && !isLoopback(hostname) && !isPrivate
}

const publicAddress = ({ PUBLIC_URL }: Config) =>
  `Set PUBLIC_URL to the https address under which the internet reaches this server. It is ${PUBLIC_URL}, which a marketplace takes neither as an endpoint nor as the way back.`

/** Yields the missing steps in their order. Earlier ones are needed for later ones. */
function* ebaySteps({ config, report }: Progress): Generator<string> {
  const { PUBLIC_URL: url } = config
  if (!isPublic(url)) yield publicAddress(config)
  if (!config.EBAY_CLIENT_ID) {
    yield 'Register at developer.ebay.com, open "Application Keys" and create a keyset under "Production". Copy its App ID (Client ID) to EBAY_CLIENT_ID.'
  }
  if (!config.EBAY_CLIENT_SECRET) {
    yield 'Copy the Cert ID (Client Secret) of the same production keyset to EBAY_CLIENT_SECRET.'
  }
  if (!config.EBAY_VERIFICATION_TOKEN) {
    yield 'Make up a token of 32 to 80 letters and digits, such as "openssl rand -hex 32" prints, set it as EBAY_VERIFICATION_TOKEN and restart the server: the keyset stays disabled until eBay can send it account deletions.'
  }
  if (report.wentWell(steps.ebayEndpoint) === false) {
    yield `Start the server with EBAY_VERIFICATION_TOKEN and see that ${url} leads to it: its endpoint did not answer as eBay will ask.`
  }
  if (report.wentWell(steps.ebayToken) === false) {
    yield `In "Alerts and Notifications" of the production keyset choose "Marketplace Account Deletion", enter ${url}/webhooks/ebay/account-deletion/ and the value of EBAY_VERIFICATION_TOKEN, and save. If the keyset is enabled, App ID and Cert ID are not of one production keyset.`
  }
  if (!config.EBAY_RU_NAME) {
    yield `Beside the Client ID open "User Tokens", "Get a Token from eBay via Your Application", and add a redirect URL with OAuth: accepted and declined URL ${url}/accounts/ebay/login/callback/, privacy policy ${url}/privacy. Copy the RuName that eBay makes, no URL, to EBAY_RU_NAME.`
  }
  if (report.wentWell(steps.ebaySeller) === null) {
    yield `The keyset works. Open ${url}/app/, press "Connect" beside eBay and sign in as the seller.`
  } else if (report.wentWell(steps.ebaySeller) === false) {
    yield `eBay does not take EBAY_SELLER_TOKEN: it ends after two hours. Leave it out, or connect the shop at ${url}/app/.`
  }
}

/** Yields the missing steps in their order. */
function* etsySteps({ config, report }: Progress): Generator<string> {
  const { PUBLIC_URL: url } = config
  if (!isPublic(url)) yield publicAddress(config)
  if (!config.ETSY_CLIENT_ID) {
    yield 'Sign in at etsy.com with the account of the shop and register a Seller App at etsy.com/developers/register: it is for your own shop, has two required fields and is approved within minutes. Copy its keystring to ETSY_CLIENT_ID.'
  }
  if (!config.ETSY_CLIENT_SECRET) {
    yield 'Copy the shared secret, beside the keystring at etsy.com/developers/your-apps, to ETSY_CLIENT_SECRET: Etsy refuses calls without it.'
  }
  if (report.wentWell(steps.etsyKey) === false) {
    yield 'Look at etsy.com/developers/your-apps: the app must be approved, and keystring and shared secret must be of the same app.'
  }
  if (report.wentWell(steps.etsySeller) === null) {
    yield `The key works. In the menu of the app choose "Edit callback URLs", add ${url}/accounts/etsy/login/callback/, then open ${url}/app/ and press "Connect" beside Etsy.`
  } else if (report.wentWell(steps.etsySeller) === false) {
    yield `Etsy does not take ETSY_SELLER_TOKEN: it ends after an hour. Leave it out, or connect the shop at ${url}/app/.`
  }
  if (!config.ETSY_WEBHOOK_SECRET) {
    yield `Sales are found by polling. To see them at once, choose "Go to Webhook portal" in the menu of the app, add ${url}/webhooks/etsy/ and copy its signing secret to ETSY_WEBHOOK_SECRET.`
  }
}
