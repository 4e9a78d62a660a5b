import { createFaultPage } from '../kit/fault-page.ts'
import { createFaults, type Faults } from '../kit/faults.ts'
import { html, notFound, picture, type SandboxRequest, type SandboxResponse } from '../kit/http.ts'
import { createLocalServer } from '../kit/listener.ts'
import { drawPicture } from '../kit/picture.ts'
import { type Published, publishedBeside } from '../kit/published.ts'
import { openStateFile } from '../kit/state-file.ts'
import { type ApiContext, etsyError, operationOf } from './api.ts'
import { createCheckout } from './checkout.ts'
import { type FaultKind, faultKinds } from './faults.ts'
import { createGrants, type Grants, type IssuedTokens, type SavedGrants } from './grants.ts'
import { createLimits, type Limits, type SandboxLimits } from './limits.ts'
import { createEtsyListener } from './listener.ts'
import { imagesOf } from './listing.ts'
import { createMarket, type EtsyMarket, type MarketChanges, type MarketOptions } from './market.ts'
import { connect, decide, type SandboxClient, token } from './oauth.ts'
import { homePage, listingPage, page, shopPage } from './pages.ts'
import { createWebhooks, type WebhookTarget } from './webhook.ts'

export interface EtsySandboxOptions extends SandboxClient {
  /** The file that tokens and changes of the market are saved in, so that connections outlive a restart. */
  statePath?: string
  clock?: () => Date
  shops?: MarketOptions['shops']
  /** False: only the shops given. */
  usual?: boolean
  /** Etsy's 10 requests a second and 10,000 a day by default; null for none. */
  limits?: SandboxLimits | null
  /** Replaces the excerpt of Etsy's published document. */
  document?: Published
  /**
   * Personal access connects 5 shops (developers.etsy.com/documentation) and has no webhooks
   * (developers.etsy.com/documentation/essentials/webhooks). Etsy publishes no words of a refusal. Commercial by default.
   */
  access?: 'personal' | 'commercial'
  /** The endpoint that the app has added for purchases and cancellations on the pages; none by default. */
  webhook?: WebhookTarget
}

export interface EtsySandbox {
  /** Starts on 127.0.0.1 and returns the base address, which stands for both of Etsy's hosts. Port 0 takes a free one. */
  listen(port: number): Promise<string>
  close(): Promise<void>
  market: EtsyMarket
  faults: Faults<FaultKind>
  grants: Grants
  limits: Limits
  /** Makes reads return data that is `ms` old. */
  setReadLag(ms: number): void
  /** Bytes of uploaded pictures by SHA-256; lost at a restart. */
  pictures: ReadonlyMap<string, Buffer>
  /** Violations of the document by requests since the start. */
  violations: string[]
  /** Issues the tokens of a shop's owner as after a consent in the browser. */
  grant(shopName: string, scopes?: string[]): IssuedTokens
}

const usualScopes = ['listings_r', 'listings_w', 'listings_d', 'shops_r', 'transactions_r', 'transactions_w']

interface SavedState {
  grants?: SavedGrants
  market?: MarketChanges
}

/**
 * Creates the sandbox Etsy: an HTTP server that speaks Etsy's OAuth and Open API v3 over a market that tests, and buyers
 * on its pages, can change. It has no passwords, so it must stay on this machine.
 */
export function createEtsySandbox(options: EtsySandboxOptions): EtsySandbox {
  const clock = options.clock ?? (() => new Date())
  const { state: saved, saver } = openStateFile<SavedState>(options.statePath, {})
  const market = createMarket({
    clock,
    shops: options.shops,
    usual: options.usual,
    changes: saved.market,
    onChange: saver('market'),
  })
  const grants = createGrants({ clock, saved: saved.grants, onChange: saver('grants') })
  const limits = createLimits({
    limits: options.limits === undefined ? { perSecond: 10, perDay: 10_000 } : options.limits,
    clock,
  })
  const lag = { ms: 0 }
  const pictures = new Map<string, Buffer>()
  const context: ApiContext = { market, grants, clock, baseUrl: '', lag, pictures }
  const faults = createFaults<FaultKind>()
  const violations: string[] = []
  const excerpt = publishedBeside(import.meta.url)
  const document = options.document ?? excerpt

  const isPersonal = options.access === 'personal'
  const webhooks = createWebhooks(options.webhook ?? null, {
    clock,
    hasConsent: (shopId) => !isPersonal && grants.hasConsent(market.shop(shopId)?.userId ?? 0),
  })
  const isFull = (userId: number) =>
    isPersonal && market.users().filter((one) => one.userId !== userId && grants.hasConsent(one.userId)).length >= 5
  const checkout = createCheckout({ market, onChange: webhooks.emit })
  const faultPage = createFaultPage({
    kinds: faultKinds,
    faults,
    sellers: () => market.users().flatMap(({ shop }) => shop?.shopName ?? []),
    revoke: (name) => grants.revoke(market.shopNamed(name)?.userId ?? 0),
    page,
  })

  function handle(request: SandboxRequest): SandboxResponse | Promise<SandboxResponse> {
    if (request.path.startsWith('/v3/application/')) return answerApi(request)
    switch (`${request.method} ${request.path}`) {
      case 'GET /oauth/connect':
        return connect(request, options, market)
      case 'POST /oauth/connect':
        return decide(request, options, market, { ...grants, isFull })
      case 'POST /v3/public/oauth/token':
        return token(request, options, grants)
      default:
        return (
          checkout(request) ??
          faultPage(request) ??
          (request.method === 'GET' ? showPage(request.path, market, pictures) : notFound)
        )
    }
  }

  /** Checks the key, then the app's limits, then the request against the document, and answers. */
  function answerApi(request: SandboxRequest): SandboxResponse {
    if (request.header('x-api-key') !== `${options.clientId}:${options.clientSecret}`) {
      return etsyError(403, "Invalid API key: should be in the format 'keystring:shared_secret'.")
    }
    const { headers, refusal } = limits.take()
    if (refusal) {
      return etsyError(429, refusal.reason, { ...headers, 'retry-after': String(refusal.retryAfterSeconds) })
    }
    // No whole document at hand has this operation yet.
    const isNewer = request.path === '/v3/application/listings/batch/inventory'
    const isOlder =
      /\/tracking$/.test(request.path) && request.header('content-type').startsWith('application/x-www-form')
    const found = isOlder ? [] : (isNewer ? excerpt : document).checkRequest(request)
    violations.push(...(found ?? [`${request.method} ${request.path} is no operation`]))
    const answer = found?.length
      ? etsyError(400, found.join('; '))
      : (operationOf(request)?.answer(context) ?? etsyError(404, 'Resource not found'))
    return { ...answer, headers: { ...answer.headers, ...headers } }
  }

  const server = createLocalServer(createEtsyListener(handle, faults))
  return {
    market,
    faults,
    grants,
    limits,
    violations,
    pictures,
    setReadLag(ms) {
      lag.ms = ms
    },

    grant(shopName, scopes = usualScopes) {
      const shop = market.shopNamed(shopName)
      if (!shop) throw new Error(`The sandbox Etsy has no shop ${shopName}.`)
      return grants.issue({ userId: shop.userId, scopes })
    },

    async listen(port) {
      context.baseUrl = await server.listen(port)
      return context.baseUrl
    },

    async close() {
      webhooks.close()
      await server.close()
    },
  }
}

/** Answers public pages and pictures. */
async function showPage(
  path: string,
  market: EtsyMarket,
  pictures: ReadonlyMap<string, Buffer>,
): Promise<SandboxResponse> {
  if (path === '/') {
    const shops = market
      .users()
      .flatMap(({ shop }) => (shop ? [{ shop, listings: market.listingsOf(shop.shopId) }] : []))
    return html(homePage(shops))
  }
  const [, kind, name = '', file] = path.split('/').map(decodeURIComponent)
  const shop = kind === 'shop' ? market.shopNamed(name) : undefined
  if (shop) return html(shopPage(shop, market.listingsOf(shop.shopId), market.receiptsOf(shop.shopId)))
  const found = market.find(Number(name))
  if (!found) return notFound
  if (kind === 'listing') return html(listingPage(found.listing, market.shop(found.shopId)!))
  const number = Number(/^il_\w+\.(\d{1,12})\.png$/.exec(file ?? '')?.[1] ?? 0)
  const image = imagesOf(found.listing).find((one) => number === ('drawn' in one ? one.drawn : one.id))
  if (kind !== 'image' || !image) return notFound
  const bytes = 'sha256' in image ? pictures.get(image.sha256) : undefined
  if ('sha256' in image && bytes) return { status: 200, type: image.type, body: bytes }
  const { pictured } = found.listing
  return picture(await drawPicture(pictured.id, 'drawn' in image ? image.drawn : 1, pictured.title))
}
