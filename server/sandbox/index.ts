import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { type AppleSandbox, startAppleSandbox } from './apple.ts'
import { createEbaySandbox, type EbaySandbox } from './ebay/index.ts'
import { createEtsySandbox, type EtsySandbox } from './etsy/index.ts'
import { createStripeSandbox, type StripeSandbox } from './stripe/index.ts'

export interface SandboxOptions {
  /** Where the fakes keep what must outlive a restart. */
  dataDir: string
  /** eBay is here, later ones follow; 0 takes free ports (tests). */
  basePort: number
  publicUrl: string
  /** What Etsy's webhooks are signed with where the operator chose; else one of this start's own. */
  etsyWebhookSecret?: string
  /** The same for Stripe's events. */
  stripeWebhookSecret?: string
  log: Pick<Logger, 'info'>
}

export interface Sandbox {
  /** What the server's environment needs to use the fakes instead of the real services. */
  environment: Record<string, string>
  /** Pages worth opening. */
  pages: { name: string; url: string }[]
  /** The fakes themselves, for tests that change their worlds. */
  ebay: EbaySandbox
  etsy: EtsySandbox
  apple: AppleSandbox
  stripe: StripeSandbox
  close(): Promise<void>
}

/** Client credentials of the sandbox: they open nothing but the fakes. */
const ebayClient = {
  clientId: 'HapaxSandbox-EBAY',
  clientSecret: 'sandbox-ebay-secret',
  ruName: 'Hapax-HapaxSandbox-login',
}
const stripeClient = { secretKey: 'sk_test_sandbox', price: 'price_sandbox' }
const etsyClient = { clientId: 'hapaxsandboxetsykeystring', clientSecret: 'sandbox-etsy-secret' }

/**
 * Starts the sandbox platforms on 127.0.0.1, at the same ports each time, so that addresses in stored records stay
 * alive. Throws when a port is taken, naming it.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const etsyWebhookSecret = options.etsyWebhookSecret ?? `whsec_${randomBytes(24).toString('base64')}`
  const ebay = createEbaySandbox({
    ...ebayClient,
    acceptUrl: `${options.publicUrl}/accounts/ebay/login/callback/`,
    statePath: join(options.dataDir, 'ebay.json'),
  })
  const etsy = createEtsySandbox({
    ...etsyClient,
    redirectUris: [`${options.publicUrl}/accounts/etsy/login/callback/`],
    statePath: join(options.dataDir, 'etsy.json'),
    webhook: {
      url: `${options.publicUrl}/webhooks/etsy/`,
      secret: etsyWebhookSecret,
      events: ['order.paid', 'order.canceled'],
    },
  })
  const stripeWebhookSecret = options.stripeWebhookSecret ?? `whsec_${randomBytes(24).toString('hex')}`
  const stripe = createStripeSandbox({
    secretKey: stripeClient.secretKey,
    statePath: join(options.dataDir, 'stripe.json'),
    webhook: { url: `${options.publicUrl}/webhooks/stripe/`, secret: stripeWebhookSecret },
  })
  let apple: AppleSandbox | null = null
  const close = async () => {
    await Promise.all([ebay.close(), etsy.close(), apple?.close(), stripe.close()])
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
      },
      pages: [
        { name: 'Sandbox eBay', url: `${ebayUrl}/` },
        { name: 'Sandbox Etsy', url: `${etsyUrl}/` },
        { name: 'Sandbox Apple', url: `${apple.url}/` },
        { name: 'Sandbox Stripe', url: `${stripeUrl}/` },
      ],
      ebay,
      etsy,
      apple,
      stripe,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

const startApple = (port: number) => onPort('Apple', port, () => startAppleSandbox({ port }))

const listen = (name: string, fake: { listen(port: number): Promise<string> }, port: number) =>
  onPort(name, port, () => fake.listen(port))

async function onPort<Started>(name: string, port: number, start: () => Promise<Started>): Promise<Started> {
  try {
    return await start()
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw cause
    throw new Error(`Port ${port}, which the sandbox ${name} needs, is taken by another program.`, { cause })
  }
}
