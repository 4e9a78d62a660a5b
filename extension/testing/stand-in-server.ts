import type { z } from 'zod'
import type { Check } from '#shared/contract/catalog/checks.ts'
import type { Difference } from '#shared/contract/catalog/differences.ts'
import type { AccountCurrency, SellerSettings } from '#shared/contract/catalog/inventory.ts'
import type { View } from '#shared/contract/catalog/views.ts'
import { type ErrorCode, statusOf, titleOf } from '#shared/contract/declaring/errors.ts'
import { scopes as allScopes, type RouteDeclaration } from '#shared/contract/declaring/route.ts'
import { streamEvents } from '#shared/contract/events.ts'
import { contract, type OperationId } from '#shared/contract/index.ts'
import type { Alert } from '#shared/contract/selling/orders.ts'
import type { HeldSale, Sale } from '#shared/contract/selling/sales.ts'
import type { Shipment } from '#shared/contract/selling/shipments.ts'
import { newId } from '#shared/identity.ts'
import { type PlatformSlug, platforms } from '#shared/platforms.ts'
import { StandInImports } from './stand-in-imports.ts'
import { ok, type Reply } from './stand-in-reply.ts'
import { StandInSelling } from './stand-in-selling.ts'
import { StandInStream } from './stand-in-stream.ts'

/** A received request. */
interface SeenRequest {
  operation: OperationId | null
  method: string
  path: string
  headers: Record<string, string>
  body: unknown
}

/** Ways of not answering: a network error, a silent connection, or a head without its body. */
type NoAnswer = 'network' | 'hang' | 'stall'

/** A request as its declaration parses it. */
export interface Given {
  params: Record<string, string>
  query: Record<string, string | undefined>
  body: unknown
}

/** Refuses a request with the error of a code. */
export class Refused extends Error {
  readonly code: ErrorCode

  constructor(code: ErrorCode) {
    super(titleOf(code))
    this.code = code
  }
}

function refuse(code: ErrorCode): never {
  throw new Refused(code)
}

/** An in-memory server for the extension. Checks every request and reply against the API contract. */
export class StandInServer {
  readonly requests: SeenRequest[] = []
  readonly user = { id: 7, username: 'sample', email: 'seller@example.test' as string | null }
  password = 'correct horse 1'
  /** The second factor required after the password; null for none. */
  code: string | null = null
  readonly signinToken = 'one sign-in under way'
  accountCurrency: AccountCurrency = { currency: 'USD', source: 'address' }
  readonly settings: SellerSettings = {
    ...{ shipping_policy_url: null, returns_policy_url: null, default_currency: null, sku_required: false },
    ...{ alert_mails: [], push_kinds: [], price_rules: {}, units: null, texts: [] },
  }
  readonly keys = new Map<string, { id: string; name: string; secret: string; scopes: readonly string[] }>()
  readonly bearers = new Set<string>()
  readonly selling = new StandInSelling(refuse)
  readonly inventory = this.selling.inventory
  readonly tasks = this.selling.tasks
  readonly history = this.selling.history
  readonly alerts: Alert[] = []
  /** Questions with the item that the seller named. */
  readonly answered: [uid: string, item: string | null][] = []
  readonly differences: Difference[] = []
  readonly checks: Check[] = []
  readonly views: View[] = []
  readonly soldItems: Sale[] = []
  /** Sales of which only a mail told. */
  readonly heldSales: HeldSale[] = []
  readonly shipments: Shipment[] = []
  readonly imports = new StandInImports(this.inventory, refuse)
  readonly jobs = this.imports.jobs
  readonly failing = this.imports.failing
  readonly poison = this.imports.poison
  shopName = 'sample-seller'
  ebay: 'none' | 'connected' | 'reconnect_required' = 'none'
  /** Fails the next matching requests, `times` each. */
  readonly faults: {
    operation: OperationId
    code: ErrorCode | NoAnswer | 'lost_reply'
    times: number
    retryAfter?: number
  }[] = []
  /** The outcome of every request; null for normal answers. */
  outage: NoAnswer | null = null
  /** Answers of operations that only some tests need. They are checked like all others. */
  readonly answers = new Map<OperationId, (given: Given) => unknown>()
  /** Listings reported as sold, including repeated reports. */
  readonly sales: string[] = []
  /** Listings that were reported as on offer. */
  readonly onOffer: { listing_id: string; seen_at: string }[] = []
  readonly ended: string[] = []
  /** Platforms whose reading the operator turned off. */
  readonly readingOff = new Set<PlatformSlug>()

  private readonly held = new Map<RegExp, Promise<void>>()

  /** Streams events to listening pages. */
  readonly stream = new StandInStream()

  /** Replaces the extension's fetch. */
  readonly fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const headers = Object.fromEntries(new Headers(init.headers).entries())
    const body = typeof init.body === 'string' ? JSON.parse(init.body) : (init.body ?? undefined)
    const { pathname } = new URL(url)
    if (pathname === streamEvents.path && this.outage === null) return this.openStream(headers, init.signal)
    // Otherwise answers at once, since tests count the turns between a request and what follows.
    if (this.held.size > 0) await this.released(pathname)
    const reply = this.handle(init.method ?? 'GET', new URL(url), headers, body)
    if (reply === 'network') throw new TypeError('Failed to fetch')
    if (reply === 'hang') return endOf(init.signal)
    if (reply === 'stall')
      return new Response(
        new ReadableStream({ start: (body) => void endOf(init.signal).catch((error) => body.error(error)) }),
      )
    const text = reply.body === null ? null : JSON.stringify(reply.body)
    return new Response(text, {
      status: reply.status,
      headers: { 'content-type': 'application/json', ...reply.headers },
    })
  }

  /** Holds requests with a matching path until the returned function is called. */
  hold(path: RegExp): () => void {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.held.set(path, promise)
    return () => {
      this.held.delete(path)
      resolve()
    }
  }

  /** Waits while requests with this path are held. */
  async released(pathname: string): Promise<void> {
    for (const [path, released] of this.held) if (path.test(pathname)) await released
  }

  private openStream(headers: Record<string, string>, signal: AbortSignal | null | undefined): Response {
    const known = [...this.keys.values()].some((one) => one.secret === headers['x-api-key'])
    if (!known) return new Response(null, { status: 401 })
    return this.stream.answer(headers['last-event-id'] ?? null, signal)
  }

  /** Answers a request, or returns how it fails. */
  handle(method: string, url: URL, headers: Record<string, string>, body: unknown): Reply | NoAnswer {
    const found = findOperation(method, url.pathname)
    this.requests.push({ operation: found?.operation ?? null, method, path: url.pathname + url.search, headers, body })
    if (this.outage) return this.outage
    if (!found) return this.problem('not_found')
    const { operation, route, params } = found
    const fault = this.faults.find((one) => one.operation === operation && one.times > 0)
    if (fault) fault.times--
    const code = fault?.code
    if (code && isNoAnswer(code)) return code
    if (code && code !== 'lost_reply') return this.problem(code, fault?.retryAfter)
    try {
      this.authenticate(route, headers)
      const query = parse(route.query, Object.fromEntries(url.searchParams))
      const given = [operation, parse(route.params, params), query, parse(route.body, body)] as const
      const own = this.answers.get(operation)
      const reply = own
        ? {
            status: Number(Object.keys(route.replies)[0]),
            body: own({ params: given[1], query, body: given[3] } as Given),
          }
        : (this.selling.act(...given, headers) ??
          this.imports.act(...given) ??
          this.act(operation, given[1], given[3], given[2]))
      if (fault?.code === 'lost_reply') return 'network'
      const schema = (route.replies as Record<number, z.ZodType | null>)[reply.status]
      if (schema === undefined) throw new Error(`${operation} does not declare ${reply.status}`)
      return { ...reply, body: schema === null ? null : schema.parse(reply.body) }
    } catch (error) {
      if (error instanceof Refused) return this.problem(error.code)
      throw error
    }
  }

  private problem(code: ErrorCode, retryAfter?: number): Reply {
    const body = {
      type: `https://hapax.test/errors/${code}`,
      title: titleOf(code),
      status: statusOf(code),
      detail: titleOf(code),
      code,
      request_id: newId('req'),
      ...(code === 'second_factor_required' ? { signin_token: this.signinToken } : {}),
    }
    return {
      status: statusOf(code),
      body,
      headers: retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) },
    }
  }

  private authenticate(route: RouteDeclaration, headers: Record<string, string>): void {
    const bearer = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1]
    const key = headers['x-api-key']
    if (bearer && key) throw new Refused('ambiguous_credentials')
    if (route.auth === 'none') return
    if (bearer !== undefined) {
      if (!this.bearers.has(bearer)) throw new Refused('unauthenticated')
      return
    }
    const known = key === undefined ? undefined : [...this.keys.values()].find((one) => one.secret === key)
    if (!known) throw new Refused('unauthenticated')
    if (route.auth === 'bearer') throw new Refused('wrong_credential_kind')
    if (!known.scopes.includes(route.auth.scope)) throw new Refused('insufficient_scope')
  }

  // biome-ignore lint/suspicious/noExplicitAny: parsed by the route's own schema just before
  private act(operation: OperationId, params: any, body: any, query: any): Reply {
    switch (operation) {
      case 'logInByPassword': {
        if (body.password !== this.password || body.email !== this.user.email) throw new Refused('invalid_credentials')
        if (this.code !== null) throw new Refused('second_factor_required')
        const token = `hpxt_${newId('req')}`
        this.bearers.add(token)
        return ok({ user: this.user, token })
      }
      case 'logInBySecondFactor': {
        const given = body.code ?? body.recovery_code
        if (body.signin_token !== this.signinToken || given !== this.code) throw new Refused('code_invalid')
        const token = `hpxt_${newId('req')}`
        this.bearers.add(token)
        return ok({ user: this.user, token })
      }
      case 'validateToken':
        return ok({ valid: true, user: this.user })
      case 'logOut':
        // The tests use a single bearer token at a time.
        this.bearers.clear()
        return ok({ detail: 'Signed out.' })
      case 'createApiKey':
        return { status: 201, body: this.createKey(body.name, body.scopes) }
      case 'deleteApiKey':
      case 'endExtensionKey':
        if (!this.keys.delete(params.pk)) throw new Refused('not_found')
        return { status: 204, body: null }
      case 'listPlatforms':
        return ok(platforms.map((platform) => this.platform(platform)))
      case 'getAccountCurrency':
        return ok(this.accountCurrency)
      case 'listSellerAccounts':
        return ok(this.sellerAccounts())
      case 'listAlarms':
        return ok({ results: this.alerts.filter((alert) => !this.isOver(alert)), next_cursor: null })
      case 'dismissAlarm': {
        const at = this.alerts.findIndex(({ uid }) => uid === params.uid)
        if (at === -1) throw new Refused('not_found')
        return ok({ ...this.alerts.splice(at, 1)[0]!, state: 'dismissed' })
      }
      case 'retryAlarm': {
        const alert = this.alerts.find(({ uid }) => uid === params.uid)
        if (!alert) throw new Refused('not_found')
        alert.progress.next_try_at = null
        return ok(alert)
      }
      case 'nameSoldItem': {
        const at = this.alerts.findIndex(({ uid }) => uid === params.uid)
        if (at === -1) throw new Refused('not_found')
        this.answered.push([params.uid!, body.item_uid as string | null])
        return ok({ ...this.alerts.splice(at, 1)[0]!, state: 'resolved' })
      }
      case 'sayListingEnded': {
        const alert = this.alerts.find(({ uid }) => uid === params.uid)
        if (!alert) throw new Refused('not_found')
        return ok(Object.assign(alert, { ended_said_at: new Date().toISOString() }))
      }
      case 'listDifferences':
        return ok({ count: this.differences.length, results: this.differences })
      case 'listUnanswered':
        return ok({ count: 0, results: [], counts: {} })
      case 'listChecks': {
        const { checks } = this
        const counts: Partial<Record<Check['kind'], number>> = {}
        for (const { kind } of checks) counts[kind] = (counts[kind] ?? 0) + 1
        return ok({ count: checks.length, results: checks, counts, checked_at: new Date().toISOString() })
      }
      case 'listViews':
        return ok(this.views)
      case 'saveView': {
        const known = this.views.find(({ name }) => name === body.name)
        if (known) return ok(Object.assign(known, body))
        this.views.push({ uid: newId('viw'), ...body })
        return ok(this.views.at(-1))
      }
      case 'deleteView':
        this.views.splice(
          this.views.findIndex(({ uid }) => uid === params.uid),
          1,
        )
        return { status: 204, body: null }
      case 'listShipments': {
        const results = this.shipments.filter(({ state }) => (state === 'to_ship') === (query.state !== 'shipped'))
        return ok({ results, next_cursor: null })
      }
      case 'getShipmentTotals': {
        const open = this.shipments.filter(({ state }) => state === 'to_ship')
        const dates = open.flatMap(({ ship_by }) => ship_by ?? []).sort()
        const late = dates.filter((date) => Date.parse(date) < Date.now()).length
        const refused = open.filter(({ problem }) => problem !== null).length
        return ok({ to_ship: open.length, late, refused, next_ship_by: dates[0] ?? null })
      }
      case 'markShipped':
      case 'undoShipped': {
        const shipment = this.shipments.find(({ order_uid }) => order_uid === params.uid)
        if (!shipment) throw new Refused('not_found')
        const isUndone = operation === 'undoShipped'
        const now = new Date().toISOString()
        return ok(
          Object.assign(shipment, {
            state: isUndone ? 'to_ship' : shipment.tells_marketplace ? 'sending' : 'shipped',
            carrier: body?.carrier ?? null,
            tracking_number: body?.tracking_number?.replace(/[ -]/g, '') ?? null,
            shipped_at: isUndone ? null : now,
            shipped_by: isUndone ? null : 'seller',
            tells_at: isUndone || !shipment.tells_marketplace ? null : now,
            can_undo: !isUndone,
            problem: null,
          }),
        )
      }
      case 'listSales':
        return ok({ results: this.soldItems, held: this.heldSales, next_cursor: null })
      case 'getSalesTotals': {
        const price_minor = this.soldItems.reduce((sum, sale) => sum + sale.price_minor, 0)
        const sales = this.soldItems.length
        return ok({ sales, amounts: sales ? [{ currency: 'USD', sales, price_minor }] : [] })
      }
      case 'updateSaleCosts': {
        const at = this.soldItems.findIndex(({ id }) => id === params.id)
        if (at === -1) throw new Refused('not_found')
        return ok(Object.assign(this.soldItems[at]!, body))
      }
      case 'importPlatform':
        if (this.ebay !== 'connected' || params.platform !== 'ebay') throw new Refused('connection_required')
        return this.imports.start('ebay', 'sample-seller')
      case 'reportSales': {
        const ids: string[] = body.listing_ids
        if (body.state === 'on_offer') {
          this.onOffer.push(...ids.map((listing_id) => ({ listing_id, seen_at: body.seen_at })))
          return ok({ results: ids.map((listing_id) => ({ listing_id, state: 'freed' })) })
        }
        if (body.state === 'ended') {
          this.ended.push(...ids)
          return ok({ results: ids.map((listing_id) => ({ listing_id, state: 'known' })) })
        }
        this.sales.push(...ids)
        return ok({ results: ids.map((listing_id) => ({ listing_id, state: 'sold' })) })
      }
      case 'getSettings':
        return ok(this.settings)
      case 'putSettings':
        return ok(Object.assign(this.settings, body))
      case 'getCatalogue':
        return ok({
          platforms: platforms
            .filter(({ connection }) => connection === 'extension')
            .map(({ slug }) => ({ slug, reading: !this.readingOff.has(slug), until_version: null })),
        })
      default:
        throw new Refused('unavailable')
    }
  }

  createKey(name: string, scopes: readonly string[] = allScopes) {
    const id = newId('key')
    const secret = `hpxk_${newId('req')}`
    this.keys.set(id, { id, name, secret, scopes })
    const created_at = new Date().toISOString()
    return {
      id,
      name,
      prefix: 'hpxk',
      last4: secret.slice(-4),
      scopes,
      created_at,
      last_used_at: null,
      expires_at: null,
      key: secret,
    }
  }

  /** An alert about what only the seller can do ends with its task. */
  private isOver({ task_uid, progress }: Alert): boolean {
    const task = this.selling.tasks.find(({ uid }) => uid === task_uid)
    return progress.state === 'waiting_for_seller' && task !== undefined && task.status !== 'open'
  }

  private platform(entry: (typeof platforms)[number]) {
    const { uid, name, slug, url } = entry
    const is_selling_active = slug === 'ebay' && this.ebay === 'connected'
    return { uid, name, slug, url, is_selling_active, connection_url: `/accounts/${slug}/login/` }
  }

  private sellerAccounts() {
    if (this.ebay === 'none') return []
    const now = new Date().toISOString()
    return [
      {
        uid: 'sel_0000000000000000000001',
        platform: 'ebay',
        external_id: 'sample-seller',
        external_name: this.shopName,
        status: this.ebay,
        connected_at: now,
        last_synced_at: now,
      },
    ]
  }
}

function isNoAnswer(code: string): code is NoAnswer {
  return code === 'network' || code === 'hang' || code === 'stall'
}

/** Never answers. Rejects when the caller's signal aborts. */
function endOf(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_, reject) => {
    if (signal?.aborted) reject(signal.reason)
    signal?.addEventListener('abort', () => reject(signal.reason))
  })
}

function parse(schema: z.ZodType | undefined, value: unknown): unknown {
  if (!schema) return undefined
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw new Refused('invalid_request')
  return parsed.data
}

function findOperation(method: string, path: string) {
  for (const [operation, route] of Object.entries(contract) as [OperationId, RouteDeclaration][]) {
    const pattern = new RegExp(`^${route.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)
    const match = route.method === method ? pattern.exec(path) : null
    if (match) return { operation, route, params: { ...match.groups } }
  }
  return null
}
