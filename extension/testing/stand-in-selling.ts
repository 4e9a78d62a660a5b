import type { ErrorCode } from '#shared/contract/errors.ts'
import type { HistoryEntry, InventoryItem } from '#shared/contract/inventory.ts'
import type { BulkJob, BulkResult } from '#shared/contract/listings.ts'
import type { ExtensionTask } from '#shared/contract/tasks.ts'
import { newId, newOrderedId } from '#shared/identity.ts'
import { type PlatformSlug, platformOf } from '#shared/platforms.ts'
import { ok, type Reply } from './stand-in-reply.ts'

/** The part of the stand-in server that keeps items, tasks and bulk jobs. `refuse` throws the error of a code. */
export class StandInSelling {
  readonly inventory: InventoryItem[] = []
  readonly tasks: ExtensionTask[] = []
  readonly history = new Map<string, HistoryEntry[]>()
  readonly bulkJobs: { job: BulkJob; results: BulkResult[]; key: string | undefined }[] = []
  /** What was reported with tasks that were completed, in the order of reporting. */
  readonly reported: { task: string; listing_id?: string; listing_url?: string }[] = []
  /** Items that cannot be listed, as if the platform had refused them. */
  readonly unlistable = new Set<string>()
  /** Items that were sold by an order which their platform told of. */
  readonly soldByOrder = new Set<string>()
  /** Whether bulk jobs are finished at once, or wait for `finishBulk`. */
  bulkAtOnce = true
  private readonly refuse: (code: ErrorCode) => never

  constructor(refuse: (code: ErrorCode) => never) {
    this.refuse = refuse
  }

  /** Null: not an operation of this part. */
  // biome-ignore lint/suspicious/noExplicitAny: parsed by the route's own schema just before
  act(operation: string, params: any, query: any, body: any, headers: Record<string, string>): Reply | null {
    switch (operation) {
      case 'listInventory':
        return this.list(query)
      case 'getInventoryItem':
        return ok(this.item(params.uid))
      case 'getInventoryHistory':
        return ok(this.history.get(this.item(params.uid).uid) ?? [])
      case 'listTasks': {
        const wanted = this.tasks.filter((task) => task.status === (query.status ?? 'open'))
        return ok(page(wanted, query, (task) => task.uid))
      }
      case 'completeTask': {
        const task = this.finishTask(params.uid, 'completed', body.listing_id)
        this.reported.push({ task: task.uid, ...body })
        this.askDownAgain(task, body)
        return ok(task)
      }
      case 'getTaskPicture':
        return this.picture(params.uid, query.n)
      case 'dismissTask':
        return ok(this.finishTask(params.uid, 'dismissed'))
      case 'bulkList':
        return this.bulk('list', body, headers['idempotency-key'])
      case 'bulkDelist':
        return this.bulk('delist', body, headers['idempotency-key'])
      case 'getBulkJob': {
        const { job, results } = this.bulkJob(params.uid)
        const wanted = results.filter((result) => query.status === undefined || result.status === query.status)
        const size = query.page_size ?? 20
        const start = ((query.page ?? 1) - 1) * size
        return ok({ count: wanted.length, results: wanted.slice(start, start + size), job })
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

  /** Puts an item into a state, as the server does: a new version, and later than everything before it. */
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

  /** Sells an item, as the server does: nothing is to be listed any more. */
  sell(item: InventoryItem): void {
    this.change(item, 'sold')
    for (const task of this.tasks) {
      const isMeant = task.inventory_item_uid === item.uid && task.kind === 'list' && task.status === 'open'
      if (isMeant) task.status = 'dismissed'
    }
  }

  /** Does what the open bulk jobs wait for. */
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

  private bulk(action: BulkJob['action'], body: { uids: string[]; platforms: string[] }, key?: string): Reply {
    const known = this.bulkJobs.find((one) => key !== undefined && one.key === key)
    if (known) return { status: 202, body: known.job }
    const results = [...new Set(body.uids)].flatMap((uid) =>
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
    }
    this.bulkJobs.push({ job, results, key })
    const answer = { status: 202, body: { ...job } }
    if (this.bulkAtOnce) this.finishBulk()
    return answer
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

  /** A listing completes a task that was put aside, too. */
  private finishTask(uid: string, status: 'completed' | 'dismissed', listing_id?: string): ExtensionTask {
    const task = this.tasks.find((one) => one.uid === uid) ?? this.refuse('not_found')
    const isListed = task.kind === 'list' && task.status === 'dismissed' && listing_id !== undefined
    if (task.status !== 'open' && task.status !== status && !isListed) this.refuse('conflict')
    task.status = status
    return task
  }

  /** What was listed though nobody may have it comes down again. */
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

  private list(query: { sku?: string; updated_since?: string; cursor?: string; page_size?: number }): Reply {
    const since = query.updated_since
    const wanted = this.inventory.filter(
      (item) =>
        (query.sku === undefined || item.sku === query.sku) &&
        (since === undefined || Date.parse(item.updated_at) >= Date.parse(since)),
    )
    return ok(page(wanted, query, (item) => item.uid))
  }
}

/** Where an item can be bought at this moment. */
function liveOn(item: InventoryItem): PlatformSlug[] {
  return (item.listings ?? []).filter((one) => one.state === 'available').map((one) => one.platform)
}

/** A page by cursor, newest first by uid, as the server cuts it. */
function page<T>(rows: readonly T[], query: { cursor?: string; page_size?: number }, uidOf: (row: T) => string) {
  const size = query.page_size ?? 20
  const sorted = [...rows].sort((one, other) => (uidOf(one) < uidOf(other) ? 1 : -1))
  const after = query.cursor === undefined ? sorted : sorted.filter((row) => uidOf(row) < query.cursor!)
  const results = after.slice(0, size)
  const last = results.at(-1)
  return { results, next_cursor: after.length > size && last ? uidOf(last) : null }
}

/** A picture of one pixel; each number has its own bytes. */
function pixel(n: number): string {
  const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
  // What comes after the picture's end is read over.
  return Buffer.concat([Buffer.from(dot, 'base64'), Buffer.from(`picture ${n}`)]).toString('base64')
}

const now = () => new Date().toISOString()
