import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type FakeAnswer, type FakeRequest, html, notFound } from '../kit/answer.ts'
import { drawPicture } from '../kit/picture.ts'
import { type Published, publishedBeside } from '../kit/published.ts'
import { createTrouble } from '../kit/trouble.ts'
import { type ApiDesk, etsyError, operationOf } from './api.ts'
import { createCheckout } from './checkout.ts'
import { createDoor } from './door.ts'
import { createFaults, type Faults, faultKinds } from './faults.ts'
import { createGrants, type Grants, type IssuedTokens } from './grants.ts'
import { createLimits, type FakeLimits, type Limits } from './limits.ts'
import { connect, decide, type FakeClient, token } from './oauth.ts'
import { homePage, listingPage, page, shopPage } from './pages.ts'
import { readState, writeState } from './state.ts'
import { createWebhooks, type WebhookTarget } from './webhook.ts'
import { createWorld, type EtsyWorld, type WorldOptions } from './world.ts'

export interface EtsyFakeOptions extends FakeClient {
  /** Keeps tokens and changes of the world, so that connections outlive a restart. */
  statePath?: string
  clock?: () => Date
  shops?: WorldOptions['shops']
  /** False: only the shops given. */
  usual?: boolean
  /** 10 requests a second and 10,000 a day when left out, as Etsy's defaults are; null: none (benchmarks). */
  limits?: FakeLimits | null
  /** In place of what is kept here of Etsy's published document. */
  document?: Published
  /** The endpoint that the app has added for purchases and cancellations on the pages; none when left out. */
  webhook?: WebhookTarget
}

export interface EtsyFake {
  /** Starts on 127.0.0.1; port 0 takes a free one. Answers the base address, which is the same for both of Etsy's hosts. */
  listen(port: number): Promise<string>
  close(): Promise<void>
  world: EtsyWorld
  faults: Faults
  grants: Grants
  limits: Limits
  /** From now on what is read is so many milliseconds old. */
  setReadLag(ms: number): void
  /** Bytes of uploaded pictures by SHA-256; forgotten with the process. */
  pictures: ReadonlyMap<string, Buffer>
  /** Requests that the document does not allow, since the start. */
  violations: string[]
  /** Tokens of a shop's owner as if they had consented in a browser to `scopes` (all that Hapax asks for). */
  grant(shopName: string, scopes?: string[]): IssuedTokens
}

const usualScopes = ['listings_r', 'listings_w', 'listings_d', 'shops_r', 'transactions_r', 'transactions_w']

/**
 * The sandbox Etsy: a real HTTP server that speaks Etsy's OAuth and Open API v3 (design, house rule 7), with a world
 * that can be changed and faults that can be set. Not for the open network: whoever reaches it is every seller.
 */
export function createEtsyFake(options: EtsyFakeOptions): EtsyFake {
  const clock = options.clock ?? (() => new Date())
  const state = readState(options.statePath)
  const world = createWorld({
    clock,
    shops: options.shops,
    usual: options.usual,
    changes: state.world,
    onChange(changes) {
      state.world = changes
      writeState(options.statePath, state)
    },
  })
  const grants = createGrants({
    clock,
    kept: state.grants,
    onChange(tokens) {
      state.grants = tokens
      writeState(options.statePath, state)
    },
  })
  const faults = createFaults()
  const limits = createLimits({
    limits: options.limits === undefined ? { perSecond: 10, perDay: 10_000 } : options.limits,
    clock,
  })
  const kept = publishedBeside(import.meta.url)
  const document = options.document ?? kept
  const violations: string[] = []
  const lag = { ms: 0 }
  const pictures = new Map<string, Buffer>()
  const desk: ApiDesk = { world, grants, clock, baseUrl: '', lag, pictures }

  const webhooks = createWebhooks(options.webhook ?? null, {
    clock,
    isLetIn: (shopId) => grants.isLetIn(world.shop(shopId)?.userId ?? 0),
  })
  const checkout = createCheckout({ world, onChange: webhooks.tell })
  const trouble = createTrouble({
    kinds: faultKinds,
    faults,
    sellers: () => world.users().flatMap(({ shop }) => shop?.shopName ?? []),
    revoke: (name) => grants.revoke(world.shopNamed(name)?.userId ?? 0),
    page,
  })

  function handle(request: FakeRequest): FakeAnswer {
    if (request.path.startsWith('/v3/application/')) return application(request)
    switch (`${request.method} ${request.path}`) {
      case 'GET /oauth/connect':
        return connect(request, options, world)
      case 'POST /oauth/connect':
        return decide(request, options, world, grants)
      case 'POST /v3/public/oauth/token':
        return token(request, options, grants)
      default:
        return (
          checkout(request) ??
          trouble(request) ??
          (request.method === 'GET' ? showPage(request.path, world, pictures) : notFound)
        )
    }
  }

  /** The key first, then the app's limits, then the request itself: by Etsy's document, and by what it does not say. */
  function application(request: FakeRequest): FakeAnswer {
    if (request.header('x-api-key') !== `${options.clientId}:${options.clientSecret}`) {
      return etsyError(403, "Invalid API key: should be in the format 'keystring:shared_secret'.")
    }
    const { headers, refusal } = limits.take()
    if (refusal) {
      return etsyError(429, refusal.reason, { ...headers, 'retry-after': String(refusal.retryAfterSeconds) })
    }
    // Newer than any whole document at hand.
    const isNewer = request.path === '/v3/application/listings/batch/inventory'
    const faulty = (isNewer ? kept : document).checkRequest(request)
    violations.push(...(faulty ?? [`${request.method} ${request.path} is no operation`]))
    const answer = faulty?.length
      ? etsyError(400, faulty.join('; '))
      : (operationOf(request)?.answer(desk) ?? etsyError(404, 'Resource not found'))
    return { ...answer, headers: { ...answer.headers, ...headers } }
  }

  let server: Server | null = null
  return {
    world,
    faults,
    grants,
    limits,
    violations,
    pictures,
    setReadLag(ms) {
      lag.ms = ms
    },

    grant(shopName, scopes = usualScopes) {
      const shop = world.shopNamed(shopName)
      if (!shop) throw new Error(`The sandbox Etsy has no shop ${shopName}.`)
      return grants.issue({ userId: shop.userId, scopes })
    },

    async listen(port) {
      const started = createServer(createDoor(handle, faults))
      await new Promise<void>((resolve, reject) => {
        started.once('error', reject)
        started.listen(port, '127.0.0.1', resolve)
      })
      server = started
      desk.baseUrl = `http://127.0.0.1:${(started.address() as AddressInfo).port}`
      return desk.baseUrl
    },

    async close() {
      webhooks.close()
      const stopped = server
      server = null
      if (!stopped) return
      await new Promise((resolve) => {
        stopped.close(resolve)
        stopped.closeAllConnections()
      })
    },
  }
}

/** The pages and pictures that anybody may see. */
function showPage(path: string, world: EtsyWorld, pictures: ReadonlyMap<string, Buffer>): FakeAnswer {
  if (path === '/') {
    const shops = world.users().flatMap(({ shop }) => (shop ? [{ shop, listings: world.listingsOf(shop.shopId) }] : []))
    return html(homePage(shops))
  }
  const [, kind, name = '', file] = path.split('/').map(decodeURIComponent)
  const shop = kind === 'shop' ? world.shopNamed(name) : undefined
  if (shop) return html(shopPage(shop, world.listingsOf(shop.shopId), world.receiptsOf(shop.shopId)))
  const found = world.find(Number(name))
  if (!found) return notFound
  if (kind === 'listing') return html(listingPage(found.listing, world.shop(found.shopId)!))
  const number = Number(/^il_\w+\.(\d{1,2})\.png$/.exec(file ?? '')?.[1] ?? 0)
  if (kind !== 'image' || number < 1 || number > found.listing.pictures) return notFound
  const { pictured, uploads } = found.listing
  const upload = uploads?.[number - 1]
  const bytes = upload && pictures.get(upload.sha256)
  if (upload && bytes) return { status: 200, type: upload.type, body: bytes }
  return {
    status: 200,
    type: 'image/png',
    body: drawPicture(pictured.id, number, pictured.title),
    headers: { 'cache-control': 'public, max-age=3600', 'cross-origin-resource-policy': 'cross-origin' },
  }
}
