import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { scopes } from '#server/integrations/ebay/oauth.ts'
import { type FakeAnswer, type FakeRequest, html, notFound } from '../kit/answer.ts'
import { drawPicture } from '../kit/picture.ts'
import { publishedBeside } from '../kit/published.ts'
import { createTrouble } from '../kit/trouble.ts'
import { restError } from './answer.ts'
import { createCheckout } from './checkout.ts'
import { createTradingDesk, type FakeCallLimits } from './desk.ts'
import { createDoor, type ReceivedRequest } from './door.ts'
import { createFaults, type Faults, faultKinds } from './faults.ts'
import { createFulfillmentDesk } from './fulfillment.ts'
import { createGrants, type Grants } from './grants.ts'
import { languageFault } from './language.ts'
import { createNotificationDesk, type KeptNotices } from './notification.ts'
import { authorize, decide, type FakeClient, identity, token } from './oauth.ts'
import { createOfferStore, type OfferStore } from './offers.ts'
import { homePage, itemPage, page, shopPage } from './pages.ts'
import { createSellingDesk } from './selling/index.ts'
import { readState, writeState } from './state.ts'
import type { TradingDesk } from './trading-call.ts'
import { createWorld, type EbayWorld, type WorldOptions } from './world.ts'

export interface EbayFakeOptions extends FakeClient {
  /** Keeps tokens and changes of the world, so that connections outlive a restart. */
  statePath?: string
  clock?: () => Date
  sellers?: WorldOptions['sellers']
  /** False: only the sellers given. */
  usual?: boolean
  /** How often the Trading API may be called; as documented when left out, null: as often as one likes. */
  callLimits?: FakeCallLimits | null
}

export interface EbayFake {
  /** Starts on 127.0.0.1; port 0 takes a free one. Answers the base address, which is the same for all of eBay's hosts. */
  listen(port: number): Promise<string>
  close(): Promise<void>
  world: EbayWorld
  faults: Faults
  grants: Grants
  /** What sellers made by the Inventory API. */
  offers: OfferStore
  /** From now on what is read is so many milliseconds old. */
  setReadLag(ms: number): void
  /** Requests that eBay's documents do not allow, since the start. */
  violations: string[]
  /** Every request as it arrived, the newest last; of the newest 2,000. */
  requests: ReceivedRequest[]
  /** Configuration, destinations and subscriptions made by the Notification API. */
  notices: KeptNotices
  /** Pushes that went out since the start, the newest last. */
  pushed: { topicId: string; endpoint: string }[]
  /** Topics that the application may not subscribe to. */
  refusedTopics: Set<string>
  /** Tokens of a seller as if they had consented in a browser. */
  grant(username: string, scopes?: string[]): { access_token: string; refresh_token: string }
}

/**
 * The sandbox eBay: a real HTTP server that speaks eBay's OAuth, Identity and Trading (design, house rule 7), with a
 * world that can be changed, by buyers on its pages too, and faults that can be set. Not for the open network: whoever reaches it is every seller.
 */
export function createEbayFake(options: EbayFakeOptions): EbayFake {
  const clock = options.clock ?? (() => new Date())
  const state = readState(options.statePath)
  const world = createWorld({
    clock,
    sellers: options.sellers,
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
  const lag = { ms: 0 }
  const desk: TradingDesk = { world, clock, baseUrl: '', lag }
  const offers = createOfferStore({
    clock,
    kept: state.selling,
    onChange(kept) {
      state.selling = kept
      writeState(options.statePath, state)
    },
  })
  const selling = createSellingDesk({ desk, offers, grants })
  const trading = createTradingDesk(desk, grants, options.callLimits)
  const fulfillment = createFulfillmentDesk(desk, grants)
  const notification = createNotificationDesk({
    grants,
    clock,
    kept: state.notices,
    onChange(kept) {
      state.notices = kept
      writeState(options.statePath, state)
    },
  })
  const checkout = createCheckout({ world, onOrder: notification.confirmOrder })
  const trouble = createTrouble({
    kinds: faultKinds,
    faults,
    sellers: () => world.sellers().map(({ username }) => username),
    revoke(username) {
      grants.revoke(username)
      notification.revokeAuthorization(world.seller(username)!)
    },
    page,
  })
  const documents = publishedBeside(import.meta.url)
  const violations: string[] = []
  const requests: ReceivedRequest[] = []

  /** What a request to a REST API does otherwise than eBay's documents want it. */
  function refuse(request: FakeRequest): FakeAnswer | null {
    const faults = documents.checkRequest(request) ?? []
    violations.push(...faults)
    return faults.length > 0 ? restError(400, 2004, `Invalid request: ${faults.join('; ')}`) : null
  }

  function handle(request: FakeRequest): FakeAnswer | Promise<FakeAnswer> {
    return languageFault(request) ?? refuse(request) ?? serve(request)
  }

  function serve(request: FakeRequest): FakeAnswer | Promise<FakeAnswer> {
    switch (`${request.method} ${request.path}`) {
      case 'GET /oauth2/authorize':
        return authorize(request, options, world)
      case 'POST /oauth2/authorize':
        return decide(request, options, world, grants)
      case 'POST /identity/v1/oauth2/token':
        return token(request, options, grants)
      case 'GET /commerce/identity/v1/user/':
        return identity(request, world, grants)
      case 'POST /ws/api.dll':
        return trading(request)
      default:
        return (
          selling(request) ??
          fulfillment(request) ??
          notification.answer(request) ??
          checkout(request) ??
          trouble(request) ??
          (request.method === 'GET' ? showPage(request.path, world) : notFound)
        )
    }
  }

  let server: Server | null = null
  return {
    world,
    faults,
    grants,
    offers,
    violations,
    requests,
    notices: notification.kept,
    pushed: notification.pushed,
    refusedTopics: notification.refusedTopics,
    setReadLag(ms) {
      lag.ms = ms
    },
    grant: (username, granted = scopes) => grants.redeemCode(grants.issueCode(username, granted))!,

    async listen(port) {
      const started = createServer(createDoor(handle, { faults, clock, requests }))
      await new Promise<void>((resolve, reject) => {
        started.once('error', reject)
        started.listen(port, '127.0.0.1', resolve)
      })
      server = started
      desk.baseUrl = `http://127.0.0.1:${(started.address() as AddressInfo).port}`
      return desk.baseUrl
    },

    async close() {
      notification.close()
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
function showPage(path: string, world: EbayWorld): FakeAnswer {
  if (path === '/')
    return html(homePage(world.sellers().map((seller) => ({ seller, items: world.itemsOf(seller.username) }))))
  const [, kind, name = '', file] = path.split('/').map(decodeURIComponent)
  const seller = kind === 'usr' ? world.seller(name) : undefined
  if (seller) return html(shopPage(seller, world.itemsOf(seller.username), world.ordersOf(seller.username)))
  const found = world.find(name)
  if (!found) return notFound
  if (kind === 'itm') return html(itemPage(found.item, found.seller))
  const number = Number(/^(\d{1,2})\.png$/.exec(file ?? '')?.[1] ?? 0)
  if (kind !== 'images' || number < 1 || number > found.item.pictures) return notFound
  return {
    status: 200,
    type: 'image/png',
    body: drawPicture(found.item.itemId, number, found.item.title),
    headers: { 'cache-control': 'public, max-age=3600', 'cross-origin-resource-policy': 'cross-origin' },
  }
}
