import type { ImportItem, ImportJob } from '#shared/contract/catalog/imports.ts'
import type { InventoryItem } from '#shared/contract/catalog/inventory.ts'
import type { ErrorCode } from '#shared/contract/declaring/errors.ts'
import { newId } from '#shared/identity.ts'
import { isJobFailure, summarizeIssues } from '#shared/import-issues.ts'
import type { Listing, ListingFailure, ListingState } from '#shared/listing.ts'
import { decimalFromMinor } from '#shared/money.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import { inventoryItem } from './inventory-item.ts'
import { ok, type Reply } from './stand-in-reply.ts'

interface Job {
  id: string
  platform: PlatformSlug
  shop: string
  status: 'in_progress' | 'completed'
  batches: Set<string>
  items: ImportItem[]
  created_at: string
  completed_at: string | null
  left_out: number
  /** Error of the whole job. */
  problem?: string
}

/**
 * Imports of the stand-in server. Decides listings like the real server in the cases that tests need: known listings
 * are skipped, known SKUs conflict. `refuse` throws the error of a code.
 */
export class StandInImports {
  readonly jobs: Job[] = []
  /** Listings that fail when they are imported. */
  readonly failing = new Set<string>()
  /** Listings whose batches are rejected. */
  readonly poison = new Set<string>()
  /** Listings in conflict, by import item. */
  private readonly read = new Map<string, Listing>()
  /** Current state of a conflicting listing, by import item. */
  readonly since = new Map<string, ListingState>()
  private readonly inventory: InventoryItem[]
  private readonly refuse: (code: ErrorCode) => never

  constructor(inventory: InventoryItem[], refuse: (code: ErrorCode) => never) {
    this.inventory = inventory
    this.refuse = refuse
  }

  /** Performs an operation. Returns null if it belongs to another part. */
  // biome-ignore lint/suspicious/noExplicitAny: parsed by the route's own schema just before
  act(operation: string, params: any, query: any, body: any): Reply | null {
    switch (operation) {
      case 'listImportJobs':
        return ok(this.jobs.map(jobReply).reverse())
      case 'getImportJob':
        return ok(jobReply(this.job(params.uid)))
      case 'startExtensionImport':
        return this.start(body.platform, body.shop.username)
      case 'sendImportBatch':
        return this.takeBatch(this.job(params.uid), body)
      case 'completeExtensionImport': {
        const job = this.job(params.uid)
        job.status = 'completed'
        job.completed_at ??= new Date().toISOString()
        return ok(jobReply(job))
      }
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
      case 'listConflicts':
        return this.listConflicts(query)
      case 'resolveConflicts':
        return this.resolveConflicts(body)
      case 'skipAllConflicts': {
        const job = this.job(params.uid)
        for (const item of job.items.filter(isOpen)) Object.assign(item, { status: 'skipped', resolution: 'skip_all' })
        return ok(jobReply(job))
      }
      case 'listChanges':
        return ok({ count: 0, results: [] })
      case 'resolveImportItem':
        return this.resolve(params.uid, params.item_uid, body)
      default:
        return null
    }
  }

  /** Returns the running import of a shop, or a new one. */
  start(platform: PlatformSlug, shop: string): Reply {
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
      left_out: 0,
    }
    this.jobs.push(job)
    return job
  }

  private job(uid: string): Job {
    return this.jobs.find((one) => one.id === uid) ?? this.refuse('not_found')
  }

  private takeBatch(
    job: Job,
    body: { batch_id: string; listings: Listing[]; failures?: ListingFailure[]; left_out?: number },
  ): Reply {
    const accepted = body.listings.length + (body.failures?.length ?? 0)
    if (!job.batches.has(body.batch_id)) {
      if (job.status === 'completed') this.refuse('conflict')
      if (body.listings.some((listing) => this.poison.has(listing.listing_id))) this.refuse('invalid_request')
      job.batches.add(body.batch_id)
      job.left_out = Math.max(job.left_out, body.left_out ?? 0)
      for (const listing of body.listings) this.decide(job, listing)
      for (const failure of body.failures ?? []) job.items.push(failedItem(failure))
    }
    return ok({ batch_id: body.batch_id, accepted, job: jobReply(job) })
  }

  /** Adds listings to a job, as if they had been sent and decided. */
  fill(job: Job, listings: Listing[], failures: ListingFailure[] = []): void {
    for (const listing of listings) this.decide(job, listing)
    for (const failure of failures) job.items.push(failedItem(failure))
  }

  private decide(job: Job, listing: Listing): void {
    if (job.items.some((item) => item.external_listing_id === listing.listing_id)) return
    if (this.failing.has(listing.listing_id)) {
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
    if (!item) this.refuse('not_found')
    const rival = item.external_sku ? this.inventory.find((one) => one.sku === item.external_sku) : undefined
    return ok({
      item,
      listing: this.read.get(item.id) ?? null,
      existing_inventory_item_uid: rival?.uid ?? null,
      state_now: this.since.get(item.id) ?? null,
    })
  }

  private listConflicts(query: { job_uid?: string; page?: number; page_size?: number }): Reply {
    const jobs = query.job_uid ? [this.job(query.job_uid)] : this.jobs
    const all = jobs.flatMap((job) => job.items.filter(isOpen).map((item) => ({ job, item })))
    const size = query.page_size ?? 20
    const results = all.slice(((query.page ?? 1) - 1) * size, (query.page ?? 1) * size).map(({ job, item }) => {
      const listing = this.read.get(item.id)
      const rival = item.external_sku ? this.inventory.find((one) => one.sku === item.external_sku) : undefined
      return {
        job_uid: job.id,
        marketplace: job.platform,
        item: { ...item, match: rival ? { certainty: 'unsure', reasons: ['same_sku'] } : null },
        listing: {
          url: listing?.url ?? null,
          image: listing?.images[0] ?? null,
          price_minor: listing?.price_minor ?? null,
          currency: listing?.currency ?? null,
        },
        existing: rival
          ? {
              uid: rival.uid,
              title: rival.record.title,
              image: rival.record.images[0] ?? null,
              sku: rival.sku,
              price_minor: rival.record.offer.price_minor,
              currency: rival.record.offer.currency,
              state: rival.record.lifecycle.state,
              platforms: [],
            }
          : null,
      }
    })
    return ok({ count: all.length, groups: { certain: 0, likely: 0, unsure: all.length, other: 0 }, results })
  }

  private resolveConflicts(body: {
    resolution: ImportItem['resolution']
    items?: { job_uid: string; item_uid: string }[]
  }): Reply {
    const refs =
      body.items ??
      this.jobs.flatMap((job) => job.items.filter(isOpen).map((item) => ({ job_uid: job.id, item_uid: item.id })))
    for (const ref of refs) this.resolve(ref.job_uid, ref.item_uid, body)
    const results = refs.map((ref) => ({ ...ref, outcome: 'resolved', code: null, message: null }))
    return ok({ results, change_uid: null, next: null })
  }

  private resolve(uid: string, itemUid: string, body: { resolution: ImportItem['resolution']; sku?: string }): Reply {
    const job = this.job(uid)
    const item = job.items.find((one) => one.id === itemUid)
    if (!item) this.refuse('not_found')
    if (item.status !== 'conflict') {
      if (item.resolution === body.resolution) return ok(item)
      this.refuse('already_resolved')
    }
    if (body.resolution === 'create_new' && this.inventory.some((one) => one.sku === body.sku)) {
      this.refuse('sku_in_use')
    }
    item.status = body.resolution === 'skip' ? 'skipped' : 'imported'
    item.resolution = body.resolution
    return ok(item)
  }
}

const isOpen = ({ status }: ImportItem) => status === 'conflict'

/** Returns a job in the server's format, with counters from its items. */
function jobReply(job: Job): ImportJob {
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
    issue_summary: summarizeIssues({
      whole: job.items.flatMap(({ external_listing_id, error_message }) =>
        isJobFailure(external_listing_id) ? (error_message ?? []) : [],
      ),
      failed,
      conflicted,
      leftOut: job.left_out,
    }),
    progress_percentage: job.status === 'completed' ? 100 : 50,
    error_message: job.problem ?? null,
    created_at: job.created_at,
    started_at: job.created_at,
    completed_at: job.completed_at,
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
    listing_url: failure.url ?? null,
    conflict_type: null,
    conflict_details: null,
    error_message: failure.error_message,
    error_code: failure.error_code,
    resolution: null,
    created_inventory_item_uid: null,
    processed_at: new Date().toISOString(),
  }
}
