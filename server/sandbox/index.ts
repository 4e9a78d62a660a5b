import { randomBytes } from 'node:crypto'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { type AppleSandbox, startAppleSandbox } from './apple.ts'
import { createEbaySandbox, type EbaySandbox } from './ebay/index.ts'
import { createEtsySandbox, type EtsySandbox } from './etsy/index.ts'
import { type SaleMailSandbox, startSaleMailSandbox } from './sale-mail.ts'
import { createStripeSandbox, type StripeSandbox } from './stripe/index.ts'

interface SandboxOptions {
  /** Holds the state files. */
  dataDir: string
  /** The port of eBay; the others follow. 0 takes free ports. */
  basePort: number
  /**
   * Settings of the server. The secrets that sign notices are new ones at each start by default, and the port of sale mails
   * is the second after the last of the services.
   */
  settings: {
    PUBLIC_URL: string
    ETSY_WEBHOOK_SECRET?: string
    STRIPE_WEBHOOK_SECRET?: string
    SALE_MAIL_PORT?: number
  }
  log: Pick<Logger, 'info'>
}

export interface Sandbox {
  /** Environment variables that point the server at the stand-ins. */
  environment: Record<string, string>
  /** Pages for people. */
  pages: { name: string; url: string }[]
  /** The stand-ins, with their state. */
  ebay: EbaySandbox
  etsy: EtsySandbox
  apple: AppleSandbox
  stripe: StripeSandbox
  saleMail: SaleMailSandbox
  close(): Promise<void>
}

/** Client credentials that only the stand-ins accept. */
const ebayClient = {
  clientId: 'HapaxSandbox-EBAY',
  clientSecret: 'sandbox-ebay-secret',
  ruName: 'Hapax-HapaxSandbox-login',
}
const stripeClient = { secretKey: 'sk_test_sandbox', price: 'price_sandbox' }
const etsyClient = { clientId: 'hapaxsandboxetsykeystring', clientSecret: 'sandbox-etsy-secret' }

/**
 * Starts the stand-ins on 127.0.0.1. The ports are the same each time, so that addresses in stored records stay valid.
 * Throws when a port is taken, and names it.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { settings } = options
  const etsyWebhookSecret = settings.ETSY_WEBHOOK_SECRET ?? `whsec_${randomBytes(24).toString('base64')}`
  const ebay = createEbaySandbox({
    ...ebayClient,
    acceptUrl: `${settings.PUBLIC_URL}/accounts/ebay/login/callback/`,
    statePath: join(options.dataDir, 'ebay.json'),
  })
  const etsy = createEtsySandbox({
    ...etsyClient,
    redirectUris: [`${settings.PUBLIC_URL}/accounts/etsy/login/callback/`],
    statePath: join(options.dataDir, 'etsy.json'),
    webhook: {
      url: `${settings.PUBLIC_URL}/webhooks/etsy/`,
      secret: etsyWebhookSecret,
      events: ['order.paid', 'order.canceled'],
    },
  })
  const stripeWebhookSecret = settings.STRIPE_WEBHOOK_SECRET ?? `whsec_${randomBytes(24).toString('hex')}`
  const stripe = createStripeSandbox({
    secretKey: stripeClient.secretKey,
    statePath: join(options.dataDir, 'stripe.json'),
    webhook: { url: `${settings.PUBLIC_URL}/webhooks/stripe/`, secret: stripeWebhookSecret },
  })
  let apple: AppleSandbox | null = null
  let saleMail: SaleMailSandbox | null = null
  const close = async () => {
    await Promise.all([ebay.close(), etsy.close(), apple?.close(), stripe.close(), saleMail?.close()])
  }
  try {
    const ebayUrl = await listen('eBay', ebay, options.basePort)
    options.log.info({ url: ebayUrl }, 'sandbox eBay is running')
    const etsyUrl = await listen('Etsy', etsy, options.basePort === 0 ? 0 : options.basePort + 1)
    options.log.info({ url: etsyUrl }, 'sandbox Etsy is running')
    apple = await startApple(options.basePort === 0 ? 0 : options.basePort + 2)
    options.log.info({ url: apple.url }, 'sandbox Apple is running')
    const stripeUrl = await listen('Stripe', stripe, options.basePort === 0 ? 0 : options.basePort + 3)
    options.log.info({ url: stripeUrl }, 'sandbox Stripe is running')
    const smtpPort = settings.SALE_MAIL_PORT ?? (options.basePort === 0 ? await freePort() : options.basePort + 5)
    saleMail = await startSaleMail(options.basePort === 0 ? 0 : options.basePort + 4, smtpPort)
    options.log.info({ url: saleMail.url }, 'sandbox mail is running')
    return {
      environment: {
        EBAY_AUTH_URL: ebayUrl,
        EBAY_API_URL: ebayUrl,
        EBAY_APIZ_URL: ebayUrl,
        EBAY_CLIENT_ID: ebayClient.clientId,
        EBAY_CLIENT_SECRET: ebayClient.clientSecret,
        EBAY_RU_NAME: ebayClient.ruName,
        EBAY_VERIFICATION_TOKEN: 'sandbox-verification-token-of-this-machine',
        OPERATOR_EMAIL: 'operator@hapax.example',
        ETSY_AUTH_URL: etsyUrl,
        ETSY_API_URL: etsyUrl,
        ETSY_CLIENT_ID: etsyClient.clientId,
        ETSY_CLIENT_SECRET: etsyClient.clientSecret,
        ETSY_WEBHOOK_SECRET: etsyWebhookSecret,
        ...apple.environment,
        STRIPE_URL: stripeUrl,
        STRIPE_SECRET_KEY: stripeClient.secretKey,
        STRIPE_PRICE_ID: stripeClient.price,
        STRIPE_WEBHOOK_SECRET: stripeWebhookSecret,
        SALE_MAIL_DOMAIN: 'sale-mail.localhost',
        SALE_MAIL_PORT: String(smtpPort),
        SALE_MAIL_DNS: saleMail.dns.address,
      },
      pages: [
        { name: 'Sandbox eBay', url: `${ebayUrl}/` },
        { name: 'Sandbox Etsy', url: `${etsyUrl}/` },
        { name: 'Sandbox Apple', url: `${apple.url}/` },
        { name: 'Sandbox Stripe', url: `${stripeUrl}/` },
        { name: 'Sandbox mail', url: `${saleMail.url}/` },
      ],
      ebay,
      etsy,
      apple,
      stripe,
      saleMail,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

const startApple = (port: number) => onPort('Apple', port, () => startAppleSandbox({ port }))

const startSaleMail = (port: number, smtpPort: number) =>
  onPort('mail', port, () => startSaleMailSandbox({ port, smtpPort }))

/** Returns a port that is free now. */
async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}

const listen = (name: string, fake: { listen(port: number): Promise<string> }, port: number) =>
  onPort(name, port, () => fake.listen(port))

async function onPort<Started>(name: string, port: number, start: () => Promise<Started>): Promise<Started> {
  try {
    return await start()
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw cause
    throw new Error(
      `Port ${port}, which the sandbox ${name} needs, is taken by another program. Stop it, or set PORT to another: the sandbox takes the ports after it.`,
      { cause },
    )
  }
}
