import type { z } from 'zod'
import type {
  createInventoryItem,
  HistoryEntry,
  InventoryItem,
  updateInventoryItem,
} from '#shared/contract/catalog/inventory.ts'
import type { ErrorCode } from '#shared/contract/declaring/errors.ts'
import type { BulkJob, BulkResult } from '#shared/contract/selling/listings.ts'
import type { FindingCode, Preflight } from '#shared/contract/selling/preflight.ts'
import type { ExtensionTask, recordAttempt } from '#shared/contract/selling/tasks.ts'
import { newId, newOrderedId } from '#shared/identity.ts'
import { editItem, withEditValues } from '#shared/item/item-edit.ts'
import type { ItemEdit } from '#shared/item/item-edit-schemas.ts'
import { type PlatformSlug, platformOf } from '#shared/platforms.ts'
import { inventoryItem } from './inventory-item.ts'
import { ok, type Reply } from './stand-in-reply.ts'

type NewItem = z.output<(typeof createInventoryItem)['body']>
type ItemChange = z.output<(typeof updateInventoryItem)['body']>

/** Items, tasks and bulk jobs of the stand-in server. `refuse` throws the error of a code. */
export class StandInSelling {
  readonly inventory: InventoryItem[] = []
  readonly tasks: ExtensionTask[] = []
  readonly history = new Map<string, HistoryEntry[]>()
  readonly bulkJobs: { job: BulkJob; results: BulkResult[]; key: string | undefined }[] = []
  /** Reports of completed tasks, oldest first. */
  readonly reported: { task: string; listing_id?: string; listing_url?: string }[] = []
  /** Items by the key of the draft that they were. */
  private readonly ofDrafts = new Map<string, InventoryItem>()
  /** Items that the platform refuses to list. */
  readonly unlistable = new Set<string>()
  /** Blocks every listing until it is null. */
  lacking: { code: FindingCode; message: string } | null = null
  /** Items sold by an order from their platform. */
  readonly soldByOrder = new Set<string>()
  /** True: bulk jobs finish at once. False: they wait for `finishBulk`. */
  bulkAtOnce = true
  private readonly refuse: (code: ErrorCode) => never

  constructor(refuse: (code: ErrorCode) => never) {
    this.refuse = refuse
  }

  /** Performs an operation. Returns null if it belongs to another part. */
  // biome-ignore lint/suspicious/noExplicitAny: parsed by the route's own schema just before
  act(operation: string, params: any, query: any, body: any, headers: Record<string, string>): Reply | null {
    switch (operation) {
      case 'listInventory':
        return this.list(query)
      case 'getInventoryItem':
        return ok(this.item(params.uid))
      case 'createInventoryItem':
        return this.create(body)
      case 'updateInventoryItem':
        return this.update(this.item(params.uid), body)
      case 'deleteInventoryItem': {
        const item = this.item(params.uid)
        if (liveOn(item).length > 0) this.refuse('still_listed')
        this.inventory.splice(this.inventory.indexOf(item), 1)
        return { status: 204, body: null }
      }
      case 'getInventoryHistory':
        return ok(this.history.get(this.item(params.uid).uid) ?? [])
      case 'listTasks': {
        const wanted = this.tasks.filter((task) =>
          query.attempted ? task.attempt : task.status === (query.status ?? 'open'),
        )
        return ok(page(wanted, query, (task) => task.uid))
      }
      case 'completeTask': {
        const task = this.finishTask(params.uid, 'completed', body.listing_id)
        this.reported.push({ task: task.uid, ...body })
        this.askDownAgain(task, body)
        return ok(task)
      }
      case 'recordAttempt':
        return this.attempt(params.uid, body)
      case 'getTaskPicture':
        return this.picture(params.uid, query.n)
      case 'dismissTask':
        return ok(this.finishTask(params.uid, 'dismissed'))
      case 'bulkPreflight':
        return this.preflight(body)
      case 'bulkList':
        return this.bulk('list', body, headers['idempotency-key'])
      case 'bulkDelist':
        return this.bulk('delist', body, headers['idempotency-key'])
      case 'bulkPrice':
        return this.bulk('price', { ...body, platforms: [''] }, headers['idempotency-key'], (item) => {
          if (body.change.by === 'price') item.record.offer.price_minor = body.change.price_minor
          return undefined
        })
      case 'bulkEdit':
        return this.bulk('edit', { ...body, platforms: [''] }, headers['idempotency-key'], (item, index) =>
          this.edit(item, body.edits, index),
        )
      case 'getBulkJob': {
        const { job, results } = this.bulkJob(params.uid)
        const wanted = results.filter((result) => query.status === undefined || result.status === query.status)
        const size = query.page_size ?? 20
        const start = ((query.page ?? 1) - 1) * size
        return ok({ count: wanted.length, results: wanted.slice(start, start + size), ...job, job })
      }
      case 'cancelBulkJob': {
        const { job } = this.bulkJob(params.uid)
        Object.assign(job, { status: 'cancelled', cancelled: job.pending, pending: 0, completed_at: now() })
        return ok(job)
      }
      case 'markItemSold': {
        const item = this.item(params.uid)
        if (item.record.lifecycle.state === 'sold') this.refuse('not_available')
        const live = liveOn(item)
        this.change(item, 'sold')
        for (const listing of item.listings ?? []) listing.state = 'removed'
        return ok({ uid: item.uid, state: 'sold', taking_down: live })
      }
      case 'takeBackSale': {
        const item = this.item(params.uid)
        if (item.record.lifecycle.state !== 'sold' || this.soldByOrder.has(item.uid)) this.refuse('conflict')
        this.change(item, 'available')
        return ok({ uid: item.uid, state: 'available' })
      }
      default:
        return null
    }
  }

  private create(body: NewItem): Reply {
    const known = body.draft && this.ofDrafts.get(body.draft)
    if (known) return { status: 201, body: known }
    this.refuseTaken(body.sku)
    const { price_minor, currency = 'USD' } = body.offer
    const item = inventoryItem('ebay', {
      ...{ listing_id: newId('out'), url: 'https://hapax.test/', title: body.title, description: '' },
      ...{ price_minor, currency, state: 'available', images: body.images },
    })
    Object.assign(item.record, { channel_listings: [] })
    Object.assign(item, { listings: [], attributes: {} })
    this.write(item, body)
    if (body.draft) {
      item.attributes.draft = true
      this.change(item, 'withdrawn')
      this.ofDrafts.set(body.draft, item)
    }
    this.inventory.push(item)
    return { status: 201, body: item }
  }

  private update(item: InventoryItem, body: ItemChange): Reply {
    if (body.version !== undefined && body.version !== item.version) this.refuse('stale_version')
    this.refuseTaken(body.sku, item)
    this.write(item, body)
    if (body.state === undefined) {
      item.version++
      item.updated_at = now()
    } else {
      this.change(item, body.state)
      if (body.state !== 'withdrawn') delete item.attributes.draft
      if (body.state === 'withdrawn') for (const listing of item.listings ?? []) listing.state = 'removed'
    }
    return ok(body.state === 'withdrawn' ? { ...item, change_uid: newId('chg') } : item)
  }

  private refuseTaken(sku: string | null | undefined, own?: InventoryItem): void {
    if (sku && this.inventory.some((one) => one !== own && one.sku === sku)) this.refuse('sku_in_use')
  }

  /** Writes the given members: `condition` and `offer` one by one, the others as a whole. */
  private write(item: InventoryItem, { title, images, condition, offer, sku, description, attributes }: ItemChange) {
    const { record } = item
    if (title !== undefined) record.title = title
    if (images !== undefined) record.images = images
    if (sku !== undefined) item.sku = sku
    if (description !== undefined) item.description = description
    if (attributes !== undefined) item.attributes = attributes
    Object.assign(record.condition, condition)
    Object.assign(record.offer, offer)
  }

  /** Changes an item's state like the server: with a new version and a later timestamp. */
  change(item: InventoryItem, state: InventoryItem['record']['lifecycle']['state']): void {
    const before = item.record.lifecycle.state
    item.version++
    item.updated_at = now()
    item.record.lifecycle.state = state
    item.record.offer.availability = state
    item.record.offer.quantity = state === 'available' || state === 'reserved' ? 1 : 0
    const entry: HistoryEntry = {
      version: item.version,
      at: item.updated_at,
      actor: 'user',
      from_state: before,
      to_state: state,
      reason: 'Marked by the seller',
      reference: null,
    }
    this.history.set(item.uid, [entry, ...(this.history.get(item.uid) ?? [])])
  }

  /** Sells an item like the server, which closes its tasks to list it. */
  sell(item: InventoryItem): void {
    this.change(item, 'sold')
    for (const task of this.tasks) {
      const isMeant = task.inventory_item_uid === item.uid && task.kind === 'list' && task.status === 'open'
      if (isMeant) task.status = 'dismissed'
    }
  }

  /** Finishes the open bulk jobs. */
  finishBulk(): void {
    for (const { job, results } of this.bulkJobs) {
      if (job.status !== 'in_progress') continue
      for (const result of results.filter((one) => one.status === 'pending')) this.finishOne(job, result)
      job.pending = 0
      job.status = 'completed'
      job.completed_at = now()
    }
  }

  private finishOne(job: BulkJob, result: BulkResult): void {
    const item = this.inventory.find((one) => one.uid === result.inventory_item_uid)
    const platform = result.platform as PlatformSlug
    if (!item || this.unlistable.has(result.inventory_item_uid)) {
      job.failed++
      const gone = { error_code: 'not_found', error_message: 'There is no such item.' }
      const refused = { error_code: 'choice_required', error_message: 'Choose category_id.' }
      return void Object.assign(result, { status: 'failed', ...(item ? refused : gone) })
    }
    if (platformOf(platform).connection === 'extension') {
      job.manual++
      return void Object.assign(result, { status: 'manual' })
    }
    job.succeeded++
    Object.assign(result, { status: 'succeeded' })
    item.listings ??= []
    if (job.action === 'delist') {
      for (const listing of item.listings) if (listing.platform === platform) listing.state = 'removed'
    } else {
      const { price_minor, currency } = item.record.offer
      const url = `${platformOf(platform).url}/new`
      item.listings.push({ platform, listing_id: newId('out'), url, state: 'available', price_minor, currency })
    }
    item.updated_at = now()
  }

  /** Says that each listing is ready, in the category that the platform suggests. */
  private preflight({ items, platforms }: { items: { uid: string }[]; platforms: string[] }): Reply {
    const results = items.flatMap(({ uid }) =>
      platforms.map((platform): Preflight => {
        const { price_minor, currency } = this.item(uid).record.offer
        const category = { id: '57988', name: 'Clothing > Coats', suggested: true }
        return {
          ...{ inventory_item_uid: uid, platform, ready: this.lacking === null, fees: [] },
          findings: this.lacking ? [{ field: 'account', blocking: true, ...this.lacking }] : [],
          ...{ options: {}, price_minor, currency, category, marketplace: null },
        }
      }),
    )
    return ok({ results, ready: results.length, not_ready: 0, not_checked: 0 })
  }

  private bulk(
    action: BulkJob['action'],
    body: { uids?: string[]; items?: { uid: string }[]; platforms: string[] },
    key?: string,
    /** Changes an item at once. Returns why it does not. */
    apply?: (item: InventoryItem, index: number) => string | undefined,
  ): Reply {
    const known = this.bulkJobs.find((one) => key !== undefined && one.key === key)
    if (known) return { status: 202, body: known.job }
    const results = [...new Set([...(body.uids ?? []), ...(body.items ?? []).map(({ uid }) => uid)])].flatMap((uid) =>
      body.platforms.map(
        (platform): BulkResult => ({
          inventory_item_uid: uid,
          platform,
          status: 'pending',
          listing_id: null,
          listing_url: null,
          error_code: null,
          error_message: null,
          verified_at: null,
        }),
      ),
    )
    const counts = { succeeded: 0, failed: 0, manual: 0, cancelled: 0 }
    const total = results.length
    const job: BulkJob = {
      uid: newId('blk'),
      action,
      status: 'in_progress',
      total,
      pending: total,
      ...counts,
      created_at: now(),
      completed_at: null,
      change_uid: action === 'list' ? null : newId('chg'),
    }
    for (const [index, result] of apply ? results.entries() : []) {
      const item = this.item(result.inventory_item_uid)
      const refusal = apply!(item, index)
      Object.assign(item, { version: item.version + 1, updated_at: now() })
      Object.assign(result, refusal ? { status: 'failed', error_code: refusal } : { status: 'succeeded' })
      job[refusal ? 'failed' : 'succeeded']++
      job.pending--
    }
    if (apply) Object.assign(job, { status: 'completed', completed_at: now() })
    this.bulkJobs.push({ job, results, key })
    const answer = { status: 202, body: { ...job } }
    if (this.bulkAtOnce) this.finishBulk()
    return answer
  }

  private edit(item: InventoryItem, edits: ItemEdit[], index: number): string | undefined {
    const { record, attributes, description, sku } = item
    const content = {
      ...{ title: record.title, description, sku, attributes, currency: record.offer.currency },
      ...{ condition_label: record.condition.label, condition_notes: record.condition.notes },
    }
    const result = editItem(content, edits, index)
    if (result.reason) return 'invalid_request'
    const next = withEditValues(content, result.values)
    if (next.sku && this.inventory.some((other) => other !== item && other.sku === next.sku)) return 'sku_in_use'
    Object.assign(item, { sku: next.sku, description: next.description, attributes: next.attributes })
    record.title = next.title
    Object.assign(record.condition, { label: next.condition_label, notes: next.condition_notes })
    return undefined
  }

  private bulkJob(uid: string) {
    return this.bulkJobs.find((one) => one.job.uid === uid) ?? this.refuse('not_found')
  }

  private item(uid: string): InventoryItem {
    return this.inventory.find((item) => item.uid === uid) ?? this.refuse('not_found')
  }

  private picture(uid: string, n: number): Reply {
    const task = this.tasks.find((one) => one.uid === uid && one.status === 'open') ?? this.refuse('not_found')
    if (!this.item(task.inventory_item_uid).record.images[n]) this.refuse('not_found')
    return ok({ type: 'image/png', data: pixel(n) })
  }

  /** Closes a task. A new listing also completes a dismissed task. */
  private finishTask(uid: string, status: 'completed' | 'dismissed', listing_id?: string): ExtensionTask {
    const task = this.tasks.find((one) => one.uid === uid) ?? this.refuse('not_found')
    const isListed = task.kind === 'list' && task.status === 'dismissed' && listing_id !== undefined
    if (task.status !== 'open' && task.status !== status && !isListed) this.refuse('conflict')
    task.status = status
    return task
  }

  /** Begins, continues or ends the one attempt of a task. */
  private attempt(uid: string, { attempt_id, pressed, result, seen }: z.output<(typeof recordAttempt)['body']>): Reply {
    const task = this.tasks.find((one) => one.uid === uid) ?? this.refuse('not_found')
    const before = task.attempt
    if (before ? before.attempt_id !== attempt_id : result) this.refuse('conflict')
    if (!result && (task.status !== 'open' || !task.sold_elsewhere || before?.result)) this.refuse('conflict')
    task.attempt = {
      ...{ attempt_id, pressed, begun_at: before?.begun_at ?? now() },
      ...{ ended_at: result ? now() : null, result: result ?? null, seen: seen ?? null },
    }
    return ok(task)
  }

  /** Creates a task to end a listing of an item that is not for sale. */
  private askDownAgain(task: ExtensionTask, listing: { listing_id?: string; listing_url?: string }): void {
    const state = this.inventory.find((one) => one.uid === task.inventory_item_uid)?.record.lifecycle.state
    const isAsked = this.tasks.some((one) => one.kind === 'delist' && one.listing_id === listing.listing_id)
    if (task.kind !== 'list' || state === undefined || state === 'available' || isAsked) return
    this.tasks.push({
      ...task,
      uid: newOrderedId('tsk'),
      kind: 'delist',
      status: 'open',
      reason: `It was ${state} while you listed it`,
      url: listing.listing_url!,
      listing_id: listing.listing_id!,
    })
  }

  private list(query: {
    sku?: string
    updated_since?: string
    total?: string
    cursor?: string
    page_size?: number
  }): Reply {
    const since = query.updated_since
    const wanted = this.inventory.filter(
      (item) =>
        (query.sku === undefined || item.sku === query.sku) &&
        (since === undefined || Date.parse(item.updated_at) >= Date.parse(since)),
    )
    const total = query.total ? { total: this.inventory.length } : {}
    return ok({ ...page(wanted, query, (item) => item.uid), ...total })
  }
}

/** Returns the platforms where an item is for sale. */
function liveOn(item: InventoryItem): PlatformSlug[] {
  return (item.listings ?? []).filter((one) => one.state === 'available').map((one) => one.platform)
}

/** Returns a page by cursor, newest first, like the server. */
function page<T>(rows: readonly T[], query: { cursor?: string; page_size?: number }, uidOf: (row: T) => string) {
  const size = query.page_size ?? 20
  const sorted = [...rows].sort((one, other) => (uidOf(one) < uidOf(other) ? 1 : -1))
  const after = query.cursor === undefined ? sorted : sorted.filter((row) => uidOf(row) < query.cursor!)
  const results = after.slice(0, size)
  const last = results.at(-1)
  return { results, next_cursor: after.length > size && last ? uidOf(last) : null }
}

/** Returns a one-pixel picture with distinct bytes for each number. */
function pixel(n: number): string {
  const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
  // Decoders ignore bytes after the end of the picture.
  return Buffer.concat([Buffer.from(dot, 'base64'), Buffer.from(`picture ${n}`)]).toString('base64')
}

const now = () => new Date().toISOString()
