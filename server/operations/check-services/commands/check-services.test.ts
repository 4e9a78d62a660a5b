import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type SmtpSandbox, startSmtpSandbox } from '#server/infra/mail-sms/testing/smtp-server.ts'
import { startTwilioSandbox, type TwilioSandbox } from '#server/infra/mail-sms/testing/twilio-server.ts'
import { challengeResponse } from '#server/integrations/ebay/push/push.ts'
import { client as ebayClient, startEbaySandbox as startEbay } from '#server/integrations/ebay/testing/ebay-sandbox.ts'
import { client as etsyClient, startEtsySandbox as startEtsy } from '#server/integrations/etsy/testing/etsy-sandbox.ts'
import { type AppleSandbox, startAppleSandbox } from '#server/sandbox/apple.ts'
import { createStripeSandbox, type StripeSandbox } from '#server/sandbox/stripe/index.ts'
import { checkServices } from './check-services.ts'

const seller = 'canary_cleo'
const shopName = 'CanaryCleoShop'
const password = 'p&ss-word/of mail'

let ebay: Awaited<ReturnType<typeof startEbay>>
let etsy: Awaited<ReturnType<typeof startEtsy>>
let apple: AppleSandbox
let twilio: TwilioSandbox
let smtp: SmtpSandbox
let stripe: StripeSandbox
let stripeUrl: string
let environment: Record<string, string>
beforeAll(async () => {
  ebay = await startEbay({ sellers: [{ username: seller, items: [] }] })
  etsy = await startEtsy({ shops: [{ shopName, listings: [] }] })
  apple = await startAppleSandbox()
  twilio = await startTwilioSandbox()
  smtp = await startSmtpSandbox({ user: 'hapax', password })
  stripe = createStripeSandbox({
    secretKey: 'sk_test_sandbox',
    webhook: { url: 'http://127.0.0.1:1/', secret: 'whsec_x' },
  })
  stripeUrl = await stripe.listen(0)
})
afterAll(async () => {
  await Promise.all([
    ebay.sandbox.close(),
    etsy.sandbox.close(),
    apple.close(),
    twilio.close(),
    smtp.close(),
    stripe.close(),
  ])
})
beforeEach(async () => {
  environment = {
    PUBLIC_URL: publicUrl,
    EBAY_VERIFICATION_TOKEN: 'a-token-of-thirty-two-characters',
    ETSY_WEBHOOK_SECRET: 'whsec_x',
    EBAY_CLIENT_ID: ebayClient.clientId,
    EBAY_CLIENT_SECRET: ebayClient.clientSecret,
    EBAY_RU_NAME: ebayClient.ruName,
    EBAY_AUTH_URL: ebay.url,
    EBAY_API_URL: ebay.url,
    EBAY_APIZ_URL: ebay.url,
    ETSY_CLIENT_ID: etsyClient.clientId,
    ETSY_CLIENT_SECRET: etsyClient.clientSecret,
    ETSY_AUTH_URL: etsy.url,
    ETSY_API_URL: etsy.url,
    ...apple.environment,
    SMTP_URL: smtp.url.replace('//', `//hapax:${encodeURIComponent(password)}@`),
    TWILIO_URL: twilio.url,
    TWILIO_ACCOUNT_SID: twilio.accountSid,
    TWILIO_AUTH_TOKEN: twilio.authToken,
    STRIPE_URL: stripeUrl,
    STRIPE_SECRET_KEY: 'sk_test_sandbox',
    STRIPE_WEBHOOK_SECRET: 'whsec_x',
    STRIPE_PRICE_ID: 'price_sandbox',
    EBAY_SELLER_TOKEN: ebay.sandbox.grant(seller).access_token,
    ETSY_SELLER_TOKEN: etsy.sandbox.grant(shopName).access_token,
  }
})
afterEach(() => {
  ebay.sandbox.faults.clear()
  etsy.sandbox.faults.clear()
  apple.state = 'up'
  stripe.availability = 'up'
  isServerUp = true
})

/** The server that is checked, as the internet sees it. */
const publicUrl = 'https://hapax.example.com'
let isServerUp = true
const fetchOutside: typeof fetch = async (input, init) => {
  const url = new URL(String(input))
  if (url.origin !== publicUrl) return fetch(input, init)
  if (!isServerUp) return new Response('Bad Gateway', { status: 502 })
  const endpoint = `${url.origin}${url.pathname}`
  const token = environment.EBAY_VERIFICATION_TOKEN ?? ''
  return Response.json({
    challengeResponse: challengeResponse(url.searchParams.get('challenge_code')!, token, endpoint),
  })
}

interface Run {
  exitCode: number
  lines: string[]
  /** Returns the output of the steps with this prefix, without their names. */
  of(name: string): string[]
}

async function run(onRequest: (url: string, init?: RequestInit) => void = () => {}): Promise<Run> {
  const lines: string[] = []
  const exitCode = await checkServices({
    environment,
    fetch(url, init) {
      onRequest(url, init)
      return fetchOutside(url, init)
    },
    write: (line) => lines.push(line),
  })
  for (const name of secretNames)
    expect(lines.join('\n')).not.toContain(environment[name] || 'a secret that is not set')
  expect(lines.join('\n')).not.toContain(password)
  return { exitCode, lines, of: (name) => lines.filter((line) => line.slice(9).startsWith(name)) }
}
const secretNames = [
  ...['EBAY_CLIENT_SECRET', 'ETSY_CLIENT_SECRET', 'SMTP_URL', 'TWILIO_AUTH_TOKEN', 'STRIPE_SECRET_KEY'],
  ...['EBAY_SELLER_TOKEN', 'ETSY_SELLER_TOKEN', 'APPLE_PRIVATE_KEY'],
]

describe('npm run check:services without a seller', () => {
  it('checks every configured service', async () => {
    environment.EBAY_SELLER_TOKEN = ''
    environment.ETSY_SELLER_TOKEN = ''
    const { exitCode, lines } = await run()
    expect(lines).toEqual([
      'ok       eBay: account deletion endpoint',
      'ok       eBay: token of the application',
      expect.stringMatching(/^ok {7}eBay: categories: "film camera" is .*Film Cameras$/),
      'ok       Etsy: key and shared secret',
      expect.stringMatching(/^ok {7}Etsy: categories: \d+ at the top$/),
      'ok       Apple: public keys',
      'ok       Apple: client secret of app.hapax.sandbox',
      'ok       Apple: client secret of app.hapax.sandbox.web',
      'ok       Twilio: account',
      'ok       Mail: connection and sign-in',
      'ok       Stripe: price: 1200 in the smallest unit of usd, each month',
      'skipped  eBay: seller, listings, orders: set EBAY_SELLER_TOKEN',
      'skipped  Etsy: seller, listings, orders: set ETSY_SELLER_TOKEN',
      expect.stringMatching(/^next {5}eBay: The keyset works\. /),
      expect.stringMatching(/^next {5}Etsy: The key works\. /),
    ])
    expect(exitCode).toBe(0)
    expect(twilio.texts).toEqual([])
    expect(smtp.mails).toEqual([])
  })

  it('names each step’s settings and exits with 2 if none is set', async () => {
    environment = {}
    const { exitCode, lines } = await run()
    expect(exitCode).toBe(2)
    expect(lines.every((line) => /^(skipped|next) /.test(line))).toBe(true)
    expect(lines).toContain('skipped  eBay: categories: set EBAY_CLIENT_ID, EBAY_CLIENT_SECRET, EBAY_RU_NAME')
    expect(lines).toContain('skipped  Mail: connection and sign-in: set SMTP_URL')
  })

  it.each<[string, () => void, string, RegExp]>([
    [
      'eBay does not know the secret',
      () => {
        environment.EBAY_CLIENT_SECRET = 'wrong-secret'
      },
      'eBay: token',
      /eBay refused the token of the application: .*invalid_client/,
    ],
    [
      'eBay has no categories',
      () => ebay.sandbox.faults.set({ call: 'getCategorySuggestions', kind: 'http_500', times: 9 }),
      'eBay: categories',
      /Internal Server Error. This usually passes within minutes/,
    ],
    [
      'Etsy does not know the shared secret',
      () => {
        environment.ETSY_CLIENT_SECRET = 'wrong-secret'
      },
      'Etsy: key',
      /Invalid API key/,
    ],
    [
      'Etsy has had too many calls',
      () => etsy.sandbox.faults.set({ call: 'getSellerTaxonomyNodes', kind: 'rate_limit', times: 9 }),
      'Etsy: categories',
      /limit/,
    ],
    [
      'Apple cannot be reached',
      () => {
        apple.state = 'down'
      },
      'Apple: public keys',
      /Apple's keys could not be read/,
    ],
    [
      'Apple does not know the team',
      () => {
        environment.APPLE_TEAM_ID = 'OTHERTEAM'
      },
      'Apple: client secret of app.hapax.sandbox',
      /HTTP 400, invalid_client/,
    ],
    [
      'Twilio does not know the token',
      () => {
        environment.TWILIO_AUTH_TOKEN = 'wrong-token'
      },
      'Twilio',
      /HTTP 401, code 20003/,
    ],
    [
      'Twilio cannot be reached',
      () => {
        environment.TWILIO_URL = 'http://127.0.0.1:1'
      },
      'Twilio',
      /could not be reached/,
    ],
    [
      'the Twilio account is suspended',
      () => twilio.refuseNext(403, 20005),
      'Twilio',
      /code 20005\. The Twilio account is suspended/,
    ],
    [
      'mail does not take the password',
      () => {
        environment.SMTP_URL = smtp.url.replace('//', '//hapax:wrong-word@')
      },
      'Mail',
      /SMTP: EAUTH 535/,
    ],
    [
      'nobody answers for mail',
      () => {
        environment.SMTP_URL = 'smtp://127.0.0.1:1'
      },
      'Mail',
      /SMTP: ESOCKET|SMTP: ECONNECTION/,
    ],
    [
      'Stripe does not know the key',
      () => {
        environment.STRIPE_SECRET_KEY = 'sk_test_wrong'
      },
      'Stripe',
      /Invalid API Key/,
    ],
    [
      'Stripe does not know the price',
      () => {
        environment.STRIPE_PRICE_ID = 'price_other'
      },
      'Stripe',
      /resource_missing/,
    ],
  ])('explains the failure where %s', async (_name, change, name, reason) => {
    change()
    const { exitCode, of } = await run()
    const [line] = of(name)
    expect(line).toMatch(/^failed {3}/)
    expect(line).toMatch(reason)
    expect(exitCode).toBe(1)
    const service = /^\w+/.exec(name)![0]
    const isNamed = of(`${service}: `).some((one) => one.startsWith('next'))
    if (['Apple', 'Twilio', 'Mail', 'Stripe'].includes(service)) expect(isNamed).toBe(true)
  })
})

describe('the next step of npm run check:services', () => {
  const nothing = { PUBLIC_URL: publicUrl }
  /** Settings in the order in which a person gets them, each with the words of the step before it. */
  const ebay: [string[], RegExp][] = [
    [['EBAY_CLIENT_ID'], /Register at developer\.ebay\.com.* EBAY_CLIENT_ID\.$/],
    [['EBAY_CLIENT_SECRET'], /Cert ID.* EBAY_CLIENT_SECRET\.$/],
    [['EBAY_VERIFICATION_TOKEN'], /EBAY_VERIFICATION_TOKEN and restart/],
    [['EBAY_RU_NAME'], /hapax\.example\.com\/accounts\/ebay\/login\/callback\/.* EBAY_RU_NAME\.$/],
    [['EBAY_SELLER_TOKEN'], /Open https:\/\/hapax\.example\.com\/app\/, press "Connect" beside eBay/],
  ]
  const etsy: [string[], RegExp][] = [
    [['ETSY_CLIENT_ID'], /Seller App at etsy\.com\/developers\/register.* ETSY_CLIENT_ID\.$/],
    [['ETSY_CLIENT_SECRET'], /shared secret.* ETSY_CLIENT_SECRET/],
    [['ETSY_SELLER_TOKEN'], /add https:\/\/hapax\.example\.com\/accounts\/etsy\/login\/callback\/, then open/],
    [['ETSY_WEBHOOK_SECRET'], /add https:\/\/hapax\.example\.com\/webhooks\/etsy\/.* ETSY_WEBHOOK_SECRET\.$/],
  ]

  it.each([
    ['eBay', ebay],
    ['Etsy', etsy],
  ])('is one at a time on the way to a shop on %s', async (service, way) => {
    const all = environment
    const addresses = Object.fromEntries(Object.entries(all).filter(([name]) => name.endsWith('_URL')))
    environment = { ...addresses, ...nothing }
    delete environment.SMTP_URL
    for (const [names, words] of way) {
      const { of, lines } = await run()
      const next = lines.filter((line) => line.startsWith(`next     ${service}: `))
      expect(next).toEqual([expect.stringMatching(words)])
      expect(of('eBay: seller')).not.toContain('failed')
      for (const name of names) environment[name] = all[name]!
    }
    expect((await run()).lines.filter((line) => line.startsWith(`next     ${service}`))).toEqual([])
  })

  it('is an address that the marketplaces can reach', async () => {
    for (const address of ['http://127.0.0.1:8080', 'http://hapax.example.com', 'https://192.168.1.9']) {
      environment.PUBLIC_URL = address
      const { lines } = await run()
      expect(lines.filter((line) => line.startsWith('next'))).toEqual([
        expect.stringMatching(/^next {5}eBay: Set PUBLIC_URL to the https address/),
        expect.stringMatching(/^next {5}Etsy: Set PUBLIC_URL to the https address/),
      ])
    }
  })

  it('is a running server while the endpoint does not answer', async () => {
    isServerUp = false
    const { exitCode, of } = await run()
    expect(of('eBay: account')).toEqual([expect.stringMatching(/^failed .*It answered 502/)])
    expect(of('eBay: ').at(-1)).toMatch(/^next {5}eBay: Start the server/)
    expect(exitCode).toBe(1)
  })

  it('is the account deletion notice while eBay refuses the keyset', async () => {
    environment.EBAY_CLIENT_SECRET = 'wrong-secret'
    environment.ETSY_CLIENT_SECRET = 'wrong-secret'
    const { lines } = await run()
    expect(lines.filter((line) => line.startsWith('next'))).toEqual([
      expect.stringMatching(/"Marketplace Account Deletion", enter https:.*\/webhooks\/ebay\/account-deletion\//),
      expect.stringMatching(/the app must be approved/),
    ])
  })
})

describe('npm run check:services with a seller', () => {
  it('reads and writes nothing', async () => {
    const sent: string[] = []
    const { exitCode, of } = await run((url, { method = 'GET', headers } = {}) => {
      sent.push(new Headers(headers).get('x-ebay-api-call-name') ?? `${method} ${new URL(url).pathname}`)
    })
    expect(sent.filter((one) => !/^(GET |Get)|^POST \/(identity|auth)\/.*token$/.test(one))).toEqual([])
    expect(sent).toEqual(expect.arrayContaining(['GetMyeBaySelling', 'GET /sell/fulfillment/v1/order']))
    expect(exitCode).toBe(0)
    expect(of('eBay: seller')).toEqual([`ok       eBay: seller: ${seller}`])
    expect(of('Etsy: listings of the shop')).toEqual([
      'ok       Etsy: listings of the shop: 0 on sale, 0 of the first page not readable',
    ])
    expect(ebay.sandbox.market.itemsOf(seller)).toEqual([])
  })

  it('stops at a token that the marketplace rejects', async () => {
    environment.ETSY_SELLER_TOKEN = '1.not-a-token'
    const { exitCode, of } = await run()
    expect(of('Etsy: seller')[0]).toMatch(/^failed {3}/)
    expect(of('Etsy: listings of the shop')).toEqual([])
    expect(exitCode).toBe(1)
  })
})
