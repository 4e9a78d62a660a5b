import { Dexie, type EntityTable } from 'dexie'
import type { FieldSources, StopReason } from '#extension/platforms/port.ts'
import type { Listing, ListingFailure } from '#shared/listing.ts'
import type { ExtensionSlug } from '#shared/platforms.ts'
import { openOrRemake } from '../open-or-remake.ts'
import type { FieldTally } from './field-tally.ts'

/** A listing as last read. Disposable: everything can be read again. */
export interface CachedListing {
  /** `platform:listing_id` */
  key: string
  platform: ExtensionSlug
  listing_id: string
  shop: string
  listing: Listing
  /** SHA-256 of the listing. */
  content_hash: string
  /** Hash that the server last accepted, or null. */
  sent_hash: string | null
  read_at: number
  /** For sale but not read yet. Only id, address, title and state of `listing` are real. */
  unread?: true
  /** Consecutive times it was missing when requested individually. */
  gone?: number
  /** Where each field was found, or null if the platform does not say. */
  sources: FieldSources | null
}

/**
 * State of a scrape: `reading` the shop, `stopped` until the seller continues, `read` and being sent, `sent` in full,
 * or `refused` by the server.
 */
export type ScrapeState = 'reading' | 'stopped' | 'read' | 'sent' | 'refused'

/** One reading of a shop by this browser, with everything needed to resume. */
export interface ScrapeSession {
  id: string
  /** `check`: looks for sales and sends no listings. */
  kind?: 'import' | 'check'
  platform: ExtensionSlug
  username: string
  shop_url: string
  /** The shop's number, on platforms that use one. */
  shop_id?: string | null
  /** Check only: still reading the lists. */
  looking?: boolean
  /** Check only: the shop was never imported, so only listings made here are kept. */
  ours_only?: boolean
  /** Check only: listings found sold. */
  sold?: number
  /** Check only: missing listings requested individually. */
  asked?: number
  state: ScrapeState
  stop: { reason: StopReason; message: string } | null
  /** The platform's opaque cursor. */
  cursor: string
  /** Number of the expected answer. Answers to earlier steps change nothing. */
  step: number
  /** Consecutive answers without content, from network or server trouble. */
  misses: number
  expected_total: number | null
  /** The shop's own count of its listings during the scrape. */
  total_now?: number
  read: number
  failed: number
  /** Listings of other sellers that were skipped. */
  left_out?: number
  /** How often optional fields could not be read. */
  fields?: FieldTally
  /** Failures of the whole import, as sentences. */
  problems?: string[]
  /** A page of the shop was not understood. */
  page_unread?: boolean
  /** Id of the import job, or null until it is opened. */
  job: string | null
  /** How often a job was opened. Another browser may have completed a shared one. */
  jobs_opened: number
  /** After a job: pages of failed items still to read. */
  failed_left?: { job: string; pages: number }
  refusal: string | null
  /** The tab that reads, and when it last answered. */
  driver: { tab: number; heard_at: number } | null
  started_at: number
  updated_at: number
}

/**
 * A batch to send. Stored before sending, and deleted in the transaction that records its receipt. Open (`closed` 0)
 * while listings are added.
 */
export interface OutgoingBatch {
  seq: number
  batch_id: string
  scrape_id: string
  closed: 0 | 1
  listings: Listing[]
  failures: ListingFailure[]
}

/** A listing that a check found sold, ended, or on offer although a buyer holds its item. Deleted when the server has it. */
export interface SeenSale {
  /** `platform:listing_id`, with `:on_offer` or `:ended` behind it for such a listing. */
  key: string
  platform: ExtensionSlug
  shop: string
  listing_id: string
  seen_at: number
  /** It is on offer. */
  on_offer?: true
  /** It has ended without a sale. */
  ended?: true
}

/** Listings that a scrape has read. A shop that changes meanwhile shows some twice. */
interface SeenListing {
  /** `scrape_id:listing_id` */
  key: string
  scrape_id: string
}

/** Listings read and not yet sent. Outlives the service worker and the browser. */
export class ImportQueue extends Dexie {
  listings!: EntityTable<CachedListing, 'key'>
  scrapes!: EntityTable<ScrapeSession, 'id'>
  outbox!: EntityTable<OutgoingBatch, 'seq'>
  seen!: EntityTable<SeenListing, 'key'>
  sales!: EntityTable<SeenSale, 'key'>

  constructor(name = 'hapax-import-queue') {
    super(name)
    this.version(1).stores({
      listings: 'key, [platform+shop], listing.url',
      scrapes: 'id, [platform+username], state, updated_at',
      outbox: '++seq, &batch_id, scrape_id, [scrape_id+closed]',
      seen: 'key, scrape_id',
      sales: 'key',
    })
  }
}

/** Opens the import queue. Its content can be read again from shop and server. */
export function openImportQueue(name?: string): Promise<ImportQueue> {
  return openOrRemake(() => new ImportQueue(name))
}
