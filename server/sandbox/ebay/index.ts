import { createFaultPage } from '../kit/fault-page.ts'
import type { Faults } from '../kit/faults.ts'
import { createFaults } from '../kit/faults.ts'
import { html, notFound, picture, type SandboxRequest, type SandboxResponse } from '../kit/http.ts'
import { createLocalServer } from '../kit/listener.ts'
import { drawPicture } from '../kit/picture.ts'
import { publishedBeside } from '../kit/published.ts'
import { openStateFile } from '../kit/state-file.ts'
import { createCheckout } from './checkout.ts'
import { type FaultKind, faultKinds } from './faults.ts'
import { createFulfillmentHandler } from './fulfillment.ts'
import { createGrants, type Grants, type SavedGrants } from './grants.ts'
import { createEbayListener, type ReceivedRequest } from './listener.ts'
import { createMarket, type EbayMarket, type MarketChanges, type MarketOptions } from './market.ts'
import { createNotificationApi, type SavedNotifications } from './notification.ts'
import { authorize, decide, identity, type SandboxClient, token, usualScopes } from './oauth.ts'
import { homePage, itemPage, page, shopPage } from './pages.ts'
import { restError } from './responses.ts'
import { createSellingHandler } from './selling/index.ts'
import { createTradingHandler, type SandboxCallLimits } from './trading-handler.ts'

export interface EbaySandboxOptions extends SandboxClient {
  /** The file that tokens and changes of the market are saved in, so that connections outlive a restart. */
  statePath?: string
  clock?: () => Date
  sellers?: MarketOptions['sellers']
  /** False: only the sellers given. */
  usual?: boolean
  /** Limits of the Trading API: eBay's documented ones by default, null for none. */
  callLimits?: SandboxCallLimits | null
  /** Pauses before each attempt of a push, after which its destination is marked down. */
  pushPausesMs?: readonly number[]
}

export interface EbaySandbox {
  /** Starts on 127.0.0.1 and returns the base address, which stands for all of eBay's hosts. Port 0 takes a free one. */
  listen(port: number): Promise<string>
  close(): Promise<void>
  market: EbayMarket
  faults: Faults<FaultKind>
  grants: Grants
  /** Makes reads return data that is `ms` old. */
  setReadLag(ms: number): void
  /** Violations of eBay's documents by requests since the start. */
  violations: string[]
  /** The newest 2,000 requests as they arrived, oldest first. */
  requests: ReceivedRequest[]
  /** Configuration, destinations and subscriptions of the Notification API. */
  notifications: SavedNotifications
  /** Pushes since the start, oldest first. */
  pushed: { topicId: string; endpoint: string }[]
  /** Topics that the application may not subscribe to. */
  refusedTopics: Set<string>
  /** Issues a seller's tokens as after a consent in the browser. */
  grant(username: string, scopes?: string[]): { access_token: string; refresh_token: string }
}

interface SavedState {
  grants?: SavedGrants
  market?: MarketChanges
  notifications?: SavedNotifications
}

/**
 * Creates the sandbox eBay: an HTTP server that speaks eBay's OAuth, Trading, selling and Notification APIs over a
 * market that tests, and buyers on its pages, can change. It has no passwords, so it must stay on this machine.
 */
export function createEbaySandbox(options: EbaySandboxOptions): EbaySandbox {
  const clock = options.clock ?? (() => new Date())
  const { state: saved, saver } = openStateFile<SavedState>(options.statePath, {})
  const market = createMarket({
    clock,
    sellers: options.sellers,
    usual: options.usual,
    changes: saved.market,
    onChange: saver('market'),
  })
  const grants = createGrants({ clock, saved: saved.grants, onChange: saver('grants') })
  const notifications = createNotificationApi({
    grants,
    clock,
    saved: saved.notifications,
    pausesMs: options.pushPausesMs,
    onChange: saver('notifications'),
  })
  const lag = { ms: 0 }
  const context = { market, clock, baseUrl: '', lag, grants }
  const faults = createFaults<FaultKind>()
  const violations: string[] = []
  const requests: ReceivedRequest[] = []

  const answerSelling = createSellingHandler(context)
  const answerTrading = createTradingHandler(context, grants, options.callLimits)
  const answerFulfillment = createFulfillmentHandler(context, grants)
  const checkout = createCheckout({ market, onOrder: notifications.confirmOrder })
  const faultPage = createFaultPage({
    kinds: faultKinds,
    faults,
    sellers: () => market.sellers().map(({ username }) => username),
    revoke(username) {
      grants.revoke(username)
      notifications.revokeAuthorization(market.seller(username)!)
    },
    page,
  })
  const documents = publishedBeside(import.meta.url)

  function handle(request: SandboxRequest): SandboxResponse | Promise<SandboxResponse> {
    return documentFault(request) ?? answer(request)
  }

  /** Refuses a REST request that eBay's documents do not allow. */
  function documentFault(request: SandboxRequest): SandboxResponse | null {
    const found = documents.checkRequest(request) ?? []
    violations.push(...found)
    return found.length > 0 ? restError(400, 2004, `Invalid request: ${found.join('; ')}`) : null
  }

  function answer(request: SandboxRequest): SandboxResponse | Promise<SandboxResponse> {
    switch (`${request.method} ${request.path}`) {
      case 'GET /oauth2/authorize':
        return authorize(request, options, market)
      case 'POST /oauth2/authorize':
        return decide(request, options, market, grants)
      case 'POST /identity/v1/oauth2/token':
        return token(request, options, grants)
      case 'GET /commerce/identity/v1/user/':
        return identity(request, market, grants)
      case 'POST /ws/api.dll':
        return answerTrading(request)
      default:
        return (
          answerSelling(request) ??
          answerFulfillment(request) ??
          notifications.answer(request) ??
          checkout(request) ??
          faultPage(request) ??
          (request.method === 'GET' ? showPage(request.path, market, clock) : notFound)
        )
    }
  }

  const server = createLocalServer(createEbayListener(handle, { faults, clock, requests }))
  return {
    market,
    faults,
    grants,
    violations,
    requests,
    notifications: notifications.saved,
    pushed: notifications.pushed,
    refusedTopics: notifications.refusedTopics,
    setReadLag(ms) {
      lag.ms = ms
    },
    grant: (username, scopes = usualScopes) => grants.redeemCode(grants.issueCode(username, scopes))!,

    async listen(port) {
      context.baseUrl = await server.listen(port)
      return context.baseUrl
    },

    async close() {
      notifications.close()
      await server.close()
    },
  }
}

/** Answers public pages and pictures. */
async function showPage(path: string, market: EbayMarket, clock: () => Date): Promise<SandboxResponse> {
  if (path === '/')
    return html(homePage(market.sellers().map((seller) => ({ seller, items: market.itemsOf(seller.username) }))))
  const [, kind, name = '', file] = path.split('/').map(decodeURIComponent)
  const seller = kind === 'usr' ? market.seller(name) : undefined
  if (seller) return html(shopPage(seller, market.itemsOf(seller.username), market.ordersOf(seller.username)))
  const found = market.find(name)
  if (!found) return notFound
  if (kind === 'itm') return html(itemPage(found.item, found.seller))
  const number = Number(/^(\d{1,2})\.png$/.exec(file ?? '')?.[1] ?? 0)
  const drawn = found.item.picturesOf ?? found.item.itemId
  if (kind !== 'images' || number < 1 || number > found.item.pictures) return notFound
  // eBay's picture server keeps pictures for three days after the last of their listings has ended (KB 989).
  const since = new Date(clock().getTime() - 3 * 86_400_000).toISOString()
  const shows = market.itemsOf(found.seller).filter(({ itemId, picturesOf = itemId }) => picturesOf === drawn)
  if (shows.every(({ endTime }) => endTime !== null && endTime < since)) return notFound
  return picture(await drawPicture(drawn, number, found.item.title))
}
