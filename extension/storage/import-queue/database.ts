import { Dexie, type EntityTable } from 'dexie'
import type { FieldSources, StopReason } from '#extension/platforms/port.ts'
import type { Listing, ListingFailure } from '#shared/listing.ts'
import type { ExtensionSlug } from '#shared/platforms.ts'
import { openOrRemake } from '../open-or-remake.ts'
import type { FieldTally } from './field-tally.ts'

/** A listing as it was last read. The cache is disposable: everything in it can be read again. */
export interface CachedListing {
  /** `platform:listing_id` */
  key: string
  platform: ExtensionSlug
  listing_id: string
  shop: string
  listing: Listing
  /** SHA-256 of the listing. */
  content_hash: string
  /** Hash of what the server last took; null before. */
  sent_hash: string | null
  read_at: number
  /** It is for sale and was not read yet: of `listing` only id, address, title and state are true. */
  unread?: true
  /** How often running it was not there when it was asked for by itself; left out: it was. */
  gone?: number
  /** Where each field was found; null where the platform does not tell. */
  sources: FieldSources | null
}

/**
 * Where an import stands: `reading` the shop, `stopped` until the seller goes on, `read` to the end (sending goes on),
 * `sent` when the server has everything, `refused` when it does not take it.
 */
export type ScrapeState = 'reading' | 'stopped' | 'read' | 'sent' | 'refused'

/** Reading a shop from this browser. All that is needed to go on after anything died. */
export interface ScrapeSession {
  id: string
  /** `check`: looks what sold, between imports; it sends no listings. Left out by earlier versions: an import. */
  kind?: 'import' | 'check'
  platform: ExtensionSlug
  username: string
  shop_url: string
  /** The platform's number of the shop, where its pages go by numbers. */
  shop_id?: string | null
  /** Of a check: it is at the lists, and not yet at what was missing there. */
  looking?: boolean
  /** Of a check: the shop was never imported, so that nothing is kept of it but what was listed there from here. */
  ours_only?: boolean
  /** Of a check: how many listings it found sold. */
  sold?: number
  /** Of a check whose lists are read: how many of the listings that were missing there it asks for by themselves. */
  asked?: number
  state: ScrapeState
  stop: { reason: StopReason; message: string } | null
  /** Cursor of the platform, opaque. */
  cursor: string
  /** Number of the answer that is awaited: an answer to an earlier step changes nothing. */
  step: number
  /** Answers in a row that brought nothing (network, server trouble). */
  misses: number
  expected_total: number | null
  /** The number of listings the shop last said it has, if it said so while it was read. */
  total_now?: number
  read: number
  failed: number
  /** Listings of other sellers that were left out. */
  left_out?: number
  /** Of which listings optional fields were not read. */
  fields?: FieldTally
  /** Faults of the import as a whole, in sentences; left out when there are none. */
  problems?: string[]
  /** A page of the shop was not understood. */
  page_unread?: boolean
  /** Uid of the import job on the server; null until it is opened. */
  job: string | null
  /** How often a job was opened for this run: another browser may have completed the one we shared. */
  jobs_opened: number
  /** Of a job that is over: how many pages of what the server failed are still to be read; left out before. */
  failed_left?: { job: string; pages: number }
  refusal: string | null
  /** The tab that reads, and when it was last heard. */
  driver: { tab: number; heard_at: number } | null
  started_at: number
  updated_at: number
}

/**
 * A batch waiting to be sent. Stored before it is sent, removed in the same transaction that notes that the server
 * has it. Open (`sealed` 0) while listings are still added to it.
 */
export interface OutgoingBatch {
  seq: number
  batch_id: string
  scrape_id: string
  closed: 0 | 1
  listings: Listing[]
  failures: ListingFailure[]
}

/** A listing that a check found sold, waiting to be reported; removed when the server has it. */
export interface SeenSale {
  /** `platform:listing_id` */
  key: string
  platform: ExtensionSlug
  shop: string
  listing_id: string
  seen_at: number
}

/** Which listings of a run were taken already: a shop that shifts while it is read shows some twice. */
export interface SeenListing {
  /** `run_id:listing_id` */
  key: string
  scrape_id: string
}

/** What was read and not yet sent, in IndexedDB: it outlives the service worker and the browser. */
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

/** Opens the cache: its content can be read again from shop and server. */
export function openImportQueue(name?: string): Promise<ImportQueue> {
  return openOrRemake(() => new ImportQueue(name))
}
