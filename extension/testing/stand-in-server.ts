import type { z } from 'zod'
import { type ErrorCode, statusOf, titleOf } from '#shared/contract/errors.ts'
import { streamEvents } from '#shared/contract/events.ts'
import type { ImportItem, ImportJob } from '#shared/contract/imports.ts'
import { contract, type OperationId } from '#shared/contract/index.ts'
import type { InventoryItem } from '#shared/contract/inventory.ts'
import { scopes as allScopes, type RouteDeclaration } from '#shared/contract/route.ts'
import { newId } from '#shared/identity.ts'
import { conditionNotStated } from '#shared/inventory-record.ts'
import type { Listing, ListingFailure } from '#shared/listing.ts'
import { decimalFromMinor } from '#shared/money.ts'
import { type PlatformSlug, platforms } from '#shared/platforms.ts'
import { StandInStock } from './stand-in-stock.ts'
import { StandInStream } from './stand-in-stream.ts'

/** A request as it arrived, for looking at what was sent. */
export interface SeenRequest {
  operation: OperationId | null
  method: string
  path: string
  headers: Record<string, string>
  body: unknown
}

interface Job {
  id: string
  platform: PlatformSlug
  shop: string
  status: 'in_progress' | 'completed'
  batches: Set<string>
  items: ImportItem[]
  created_at: string
  completed_at: string | null
  /** What went wrong with the job as a whole. */
  problem?: string
}

interface Reply {
  status: number
  body: unknown
  headers?: Record<string, string>
}

/** What comes instead of an answer: nothing at all, silence on an open connection, or a head without its body. */
export type NoAnswer = 'network' | 'hang' | 'stall'

class Refused extends Error {
  readonly code: ErrorCode

  constructor(code: ErrorCode) {
    super(titleOf(code))
    this.code = code
  }
}

/**
 * The server's part that the extension talks to, in memory: every request and reply is checked against the contract,
 * imports are decided as the server does for the cases that tests need (known listing: skipped, known SKU: conflict).
 */
export class StandInServer {
  readonly requests: SeenRequest[] = []
  readonly user = { id: 7, username: 'sample', email: 'seller@example.test' as string | null }
  password = 'correct horse 1'
  readonly keys = new Map<string, { id: string; name: string; secret: string; scopes: readonly string[] }>()
  readonly bearers = new Set<string>()
  readonly jobs: Job[] = []
  /** Listings in conflict, by their import item. */
  private readonly read = new Map<string, Listing>()
  readonly stock = new StandInStock((code) => {
    throw new Refused(code)
  })
  readonly inventory = this.stock.inventory
  readonly tasks = this.stock.tasks
  readonly history = this.stock.history
  shopName = 'sample-seller'
  ebay: 'none' | 'connected' | 'reconnect_required' = 'none'
  /** Answers the next matching requests with an error or not at all instead; runs out by itself. */
  readonly faults: {
    operation: OperationId
    code: ErrorCode | NoAnswer | 'lost_reply'
    times: number
    retryAfter?: number
  }[] = []
  /** How the whole server is: every request ends so. */
  mood: NoAnswer | null = null
  /** Listings that were reported as sold, each as often as it was. */
  readonly sales: string[] = []
  /** Platforms whose reading the operator has turned off. */
  readonly readingOff = new Set<PlatformSlug>()
  /** Listings that fail when they are decided. */
  readonly unkeepable = new Set<string>()
  /** Listings that no batch may hold, as if the server could not take them. */
  readonly poison = new Set<string>()

  /** Tells of what changed, where it is told to. */
  readonly stream = new StandInStream()

  /** As the extension's fetch. */
  readonly fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const headers = Object.fromEntries(new Headers(init.headers).entries())
    const body = typeof init.body === 'string' ? JSON.parse(init.body) : undefined
    if (new URL(url).pathname === streamEvents.path && this.mood === null) return this.openStream(headers, init.signal)
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

  private openStream(headers: Record<string, string>, signal: AbortSignal | null | undefined): Response {
    const known = [...this.keys.values()].some((one) => one.secret === headers['x-api-key'])
    if (!known) return new Response(null, { status: 401 })
    return this.stream.answer(headers['last-event-id'] ?? null, signal)
  }

  /** Answers a request, or says how no answer comes. */
  handle(method: string, url: URL, headers: Record<string, string>, body: unknown): Reply | NoAnswer {
    const found = findOperation(method, url.pathname)
    this.requests.push({ operation: found?.operation ?? null, method, path: url.pathname + url.search, headers, body })
    if (this.mood) return this.mood
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
      const reply = this.stock.act(...given, headers) ?? this.act(...given)
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
  private act(operation: OperationId, params: any, query: any, body: any): Reply {
    switch (operation) {
      case 'logInByPassword': {
        if (body.password !== this.password || body.email !== this.user.email) throw new Refused('invalid_credentials')
        const token = `hpxt_${newId('req')}`
        this.bearers.add(token)
        return ok({ user: this.user, token })
      }
      case 'validateToken':
        return ok({ valid: true, user: this.user })
      case 'logOut':
        // The credential of this very request; there is only ever one in the tests.
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
      case 'listSellerAccounts':
        return ok(this.sellerAccounts())
      case 'listImportJobs':
        return ok(this.jobs.map(jobReply).reverse())
      case 'getImportJob':
        return ok(jobReply(this.job(params.uid)))
      case 'importPlatform':
        return this.importEbay(params.platform)
      case 'startExtensionImport':
        return this.startImport(body.platform, body.shop.username)
      case 'sendImportBatch':
        return this.takeBatch(this.job(params.uid), body)
      case 'completeExtensionImport': {
        const job = this.job(params.uid)
        job.status = 'completed'
        job.completed_at ??= new Date().toISOString()
        return ok(jobReply(job))
      }
      case 'reportSales': {
        const ids: string[] = body.listing_ids
        this.sales.push(...ids)
        return ok({ results: ids.map((listing_id) => ({ listing_id, state: 'sold' })) })
      }
      case 'getCatalogue':
        return ok({
          platforms: platforms
            .filter(({ connection }) => connection === 'extension')
            .map(({ slug }) => ({ slug, reading: !this.readingOff.has(slug), until_version: null })),
        })
      case 'listImportIssues':
      case 'listImportItems': {
        const wanted = operation === 'listImportIssues' && !query.status ? ['failed', 'conflict'] : [query.status]
        const items = this.job(params.uid).items.filter(
          (item) => wanted[0] === undefined || wanted.includes(item.status),
        )
        const size = query.page_size ?? 20
        return ok({
          count: items.length,
          results: items.slice(((query.page ?? 1) - 1) * size, (query.page ?? 1) * size),
        })
      }
      case 'getImportItem':
        return this.importItem(params.uid, params.item_uid)
      case 'resolveImportItem':
        return this.resolve(params.uid, params.item_uid, body)
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

  private importEbay(platform: string): Reply {
    if (this.ebay !== 'connected' || platform !== 'ebay') throw new Refused('connection_required')
    const live = this.jobs.find((job) => job.platform === 'ebay' && job.status === 'in_progress')
    if (live) return ok(jobReply(live))
    const job = this.openJob('ebay', 'sample-seller')
    return { status: 201, body: jobReply(job) }
  }

  private startImport(platform: PlatformSlug, shop: string): Reply {
    const live = this.jobs.find((job) => job.platform === platform && job.shop === shop && job.status === 'in_progress')
    if (live) return ok(jobReply(live))
    return { status: 201, body: jobReply(this.openJob(platform, shop)) }
  }

  openJob(platform: PlatformSlug, shop: string): Job {
    const job: Job = {
      id: newId('job'),
      platform,
      shop,
      status: 'in_progress',
      batches: new Set(),
      items: [],
      created_at: new Date().toISOString(),
      completed_at: null,
    }
    this.jobs.push(job)
    return job
  }

  private job(uid: string): Job {
    const job = this.jobs.find((one) => one.id === uid)
    if (!job) throw new Refused('not_found')
    return job
  }

  private takeBatch(job: Job, body: { batch_id: string; listings: Listing[]; failures?: ListingFailure[] }): Reply {
    const accepted = body.listings.length + (body.failures?.length ?? 0)
    if (!job.batches.has(body.batch_id)) {
      if (job.status === 'completed') throw new Refused('conflict')
      if (body.listings.some((listing) => this.poison.has(listing.listing_id))) throw new Refused('invalid_request')
      job.batches.add(body.batch_id)
      for (const listing of body.listings) this.decide(job, listing)
      for (const failure of body.failures ?? []) job.items.push(failedItem(failure))
    }
    return ok({ batch_id: body.batch_id, accepted, job: jobReply(job) })
  }

  /** Puts listings into a job, as if they had been sent and decided. */
  fill(job: Job, listings: Listing[], failures: ListingFailure[] = []): void {
    for (const listing of listings) this.decide(job, listing)
    for (const failure of failures) job.items.push(failedItem(failure))
  }

  private decide(job: Job, listing: Listing): void {
    if (job.items.some((item) => item.external_listing_id === listing.listing_id)) return
    if (this.unkeepable.has(listing.listing_id)) {
      const { listing_id } = listing
      return void job.items.push(failedItem({ listing_id, error_code: 'internal', error_message: 'It went wrong.' }))
    }
    const known = this.inventory.some((item) =>
      item.record.channel_listings?.some(
        (one) => one.channel === job.platform && one.listing_id === listing.listing_id,
      ),
    )
    if (known) return void job.items.push(itemOf(listing, { status: 'skipped' }))
    const rival = listing.sku ? this.inventory.find((item) => item.sku === listing.sku) : undefined
    if (rival) {
      const details = `The SKU ${listing.sku} belongs to ${rival.uid}.`
      const conflict = { conflict_type: 'duplicate_sku', conflict_details: details, resolution: 'pending' } as const
      const item = itemOf(listing, { status: 'conflict', ...conflict })
      this.read.set(item.id, listing)
      return void job.items.push(item)
    }
    const item = inventoryItem(job.platform, listing)
    this.inventory.push(item)
    job.items.push(itemOf(listing, { status: 'imported', created_inventory_item_uid: item.uid }))
  }

  private importItem(uid: string, itemUid: string): Reply {
    const item = this.job(uid).items.find((one) => one.id === itemUid)
    if (!item) throw new Refused('not_found')
    const rival = item.external_sku ? this.inventory.find((one) => one.sku === item.external_sku) : undefined
    return ok({ item, listing: this.read.get(item.id) ?? null, existing_inventory_item_uid: rival?.uid ?? null })
  }

  private resolve(uid: string, itemUid: string, body: { resolution: ImportItem['resolution']; sku?: string }): Reply {
    const job = this.job(uid)
    const item = job.items.find((one) => one.id === itemUid)
    if (!item) throw new Refused('not_found')
    if (item.status !== 'conflict') {
      if (item.resolution === body.resolution) return ok(item)
      throw new Refused('already_resolved')
    }
    if (body.resolution === 'create_new' && this.inventory.some((one) => one.sku === body.sku)) {
      throw new Refused('sku_in_use')
    }
    item.status = body.resolution === 'skip' ? 'skipped' : 'imported'
    item.resolution = body.resolution
    return ok(item)
  }
}

/** An item of the inventory as the server would make it of a listing. */
export function inventoryItem(platform: PlatformSlug, listing: Listing): InventoryItem {
  const uid = newId('inv')
  const now = new Date().toISOString()
  const { price_minor, currency } = listing
  return {
    uid,
    sku: listing.sku ?? null,
    description: listing.description,
    attributes: { brand: listing.brand, size: listing.size, colors: listing.colors, category: listing.category },
    version: 1,
    created_at: now,
    updated_at: now,
    seller_account_uids: [],
    listings: [
      { platform, listing_id: listing.listing_id, url: listing.url, state: 'available', price_minor, currency },
    ],
    record: {
      physical_item_id: uid,
      product_id: uid,
      offer_id: uid,
      title: listing.title,
      canonical_url: `https://hapax.test/items/${uid}`,
      channel_listings: [{ channel: platform, listing_id: listing.listing_id, url: listing.url }],
      images: listing.images,
      condition: {
        label: listing.condition ?? conditionNotStated,
        notes: '',
        inspected_at: now.slice(0, 10),
        evidence_urls: [],
      },
      offer: {
        price_minor,
        currency,
        quantity: 1,
        availability: 'available',
        observed_at: now,
        seller_url: 'https://hapax.test/',
        shipping_policy_url: 'https://hapax.test/',
        returns_policy_url: 'https://hapax.test/',
      },
      lifecycle: { version: '1', state: 'available', updated_at: now },
    },
  }
}

function itemOf(listing: Listing, changes: Partial<ImportItem>): ImportItem {
  return {
    id: newId('itm'),
    external_listing_id: listing.listing_id,
    external_sku: listing.sku ?? '',
    status: 'imported',
    listing_title: listing.title,
    listing_price: decimalFromMinor(listing.price_minor, listing.currency),
    conflict_type: null,
    conflict_details: null,
    error_message: null,
    error_code: null,
    resolution: null,
    created_inventory_item_uid: null,
    processed_at: new Date().toISOString(),
    ...changes,
  }
}

function failedItem(failure: ListingFailure): ImportItem {
  return {
    id: newId('itm'),
    external_listing_id: failure.listing_id,
    external_sku: '',
    status: 'failed',
    listing_title: failure.title ?? '',
    listing_price: null,
    conflict_type: null,
    conflict_details: null,
    error_message: failure.error_message,
    error_code: failure.error_code,
    resolution: null,
    created_inventory_item_uid: null,
    processed_at: new Date().toISOString(),
  }
}

/** A job as the server tells it: counters counted from its items. */
export function jobReply(job: Job): ImportJob {
  const count = (status: ImportItem['status']) => job.items.filter((item) => item.status === status).length
  const failed = count('failed')
  const conflicted = count('conflict')
  return {
    id: job.id,
    marketplace: job.platform,
    status: job.status,
    total_listings_found: job.items.length,
    items_imported: count('imported'),
    items_skipped: count('skipped'),
    items_failed: failed,
    items_conflicted: conflicted,
    has_issues: failed + conflicted > 0,
    issue_summary: failed + conflicted > 0 ? `${conflicted} conflicts, ${failed} failed` : '',
    progress_percentage: job.status === 'completed' ? 100 : 50,
    error_message: job.problem ?? null,
    created_at: job.created_at,
    started_at: job.created_at,
    completed_at: job.completed_at,
  }
}

function isNoAnswer(code: string): code is NoAnswer {
  return code === 'network' || code === 'hang' || code === 'stall'
}

/** Never answers; ends with the asker's patience. */
function endOf(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_, reject) => {
    if (signal?.aborted) reject(signal.reason)
    signal?.addEventListener('abort', () => reject(signal.reason))
  })
}

function ok(body: unknown): Reply {
  return { status: 200, body }
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
