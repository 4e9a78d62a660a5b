import { describe, expect, it } from 'vitest'
import { finishedLike, needsSeller, newestOf } from '#extension/messaging/import-row.ts'
import { poshmark } from '#extension/platforms/poshmark/index.ts'
import type { ScrapeSession } from '#extension/storage/import-queue/database.ts'
import { newScrape } from '#extension/storage/import-queue/scrapes.ts'
import type { ImportJob } from '#shared/contract/catalog/imports.ts'
import { importRows, type Reading } from './import-rows.ts'

function job(changes: Partial<ImportJob>): ImportJob {
  return {
    id: 'job_1',
    marketplace: 'ebay',
    status: 'in_progress',
    total_listings_found: 100,
    items_imported: 100,
    items_skipped: 0,
    items_failed: 0,
    items_conflicted: 0,
    has_issues: false,
    issue_summary: '',
    progress_percentage: 37,
    error_message: null,
    created_at: '2026-11-20T10:00:00.000Z',
    started_at: '2026-11-20T10:00:00.000Z',
    completed_at: null,
    ...changes,
  }
}

const calm: Reading = { now: 0, pace_ms: 1_000, off: [] }

describe('an import that missed listings', () => {
  const short = {
    status: 'completed',
    total_listings_found: 10,
    items_imported: 8,
    items_failed: 2,
    issue_summary:
      "8 of 22 listings could be read; eBay's answers changed. 1 listing could not be imported. 2 listings of other sellers were left out.",
  } as const

  it('is incomplete with its counts', () => {
    expect(importRows([job(short)], [], [], calm)[0]).toMatchObject({
      phase: 'done',
      incomplete: true,
      note: "8 of 22 listings could be read; eBay's answers changed. 2 listings of other sellers were left out.",
      counts: { found: 9, imported: 8, failed: 1 },
    })
  })

  it('is an ordinary import if single listings failed', () => {
    const issue_summary = '1 listing could not be imported, 2 listings need your decision.'
    expect(importRows([job({ ...short, issue_summary })], [], [], calm)[0]).toMatchObject({
      incomplete: false,
      note: null,
      counts: { failed: 2 },
    })
  })
})

describe('an import whose tab was closed', () => {
  const shop = { username: 'seller', url: 'https://poshmark.com/closet/seller' }
  const scrape = (changes: Partial<ScrapeSession> = {}): ScrapeSession => ({
    ...newScrape(poshmark, shop, 640, 0),
    ...{ read: 412, driver: { tab: 7, heard_at: 100_000 }, updated_at: 100_000 },
    ...changes,
  })
  const rowAt = (now: number, changes: Partial<ScrapeSession> = {}, reading: Partial<Reading> = {}) =>
    importRows([], [scrape(changes)], [], { ...calm, now, ...reading })[0]!

  it('waits for a tab after a while', () => {
    expect(rowAt(140_000)).toMatchObject({ phase: 'reading', done: 412, total: 640 })
    expect(needsSeller(rowAt(140_000))).toBe(false)
    expect(rowAt(150_000)).toMatchObject({ phase: 'waiting', done: 412, total: 640, shop_url: shop.url })
    expect(needsSeller(rowAt(150_000))).toBe(true)
  })

  it('waits from the start if no tab reads', () => {
    expect(rowAt(150_000, { driver: null })).toMatchObject({ phase: 'waiting' })
  })

  it('keeps reading during pauses and retries', () => {
    expect(rowAt(150_000, {}, { pace_ms: 10_000 }).phase).toBe('reading')
    expect(rowAt(210_000, { misses: 3 }, { pace_ms: 10_000 }).phase).toBe('reading')
    expect(rowAt(300_000, { misses: 3 }, { pace_ms: 10_000 }).phase).toBe('waiting')
  })

  it('waits for no tab while reading is off', () => {
    expect(rowAt(900_000, {}, { off: ['poshmark'] }).phase).toBe('reading')
    expect(rowAt(900_000, { state: 'read' }).phase).toBe('sending')
    expect(rowAt(900_000, { state: 'stopped' }).phase).toBe('stopped')
  })
})

describe('the total of an import', () => {
  it.each([
    ['is unknown while the search continues', job({}), null],
    [
      'is unknown before a listing is found',
      job({ total_listings_found: 0, items_imported: 0, progress_percentage: 0 }),
      null,
    ],
    ['is known once all are found', job({ total_listings_found: 271, progress_percentage: 37 }), 271],
    ['is the number found at the end', job({ status: 'completed', progress_percentage: 100 }), 100],
  ])('%s', (_name, one, total) => {
    expect(importRows([one], [], [], calm)[0]?.total).toBe(total)
  })
})

describe('finished imports of one shop', () => {
  const over = (id: string, hour: number, changes: Partial<ImportJob> = {}) =>
    job({ id, status: 'completed', progress_percentage: 100, created_at: `2026-11-20T${hour}:00:00.000Z`, ...changes })
  const rows = importRows(
    [
      over('newest', 14),
      over('undecided', 13, { items_conflicted: 2 }),
      over('older', 12),
      over('etsy', 11, { marketplace: 'etsy' }),
    ],
    [],
    [],
    calm,
  )

  it('show as one row beside those with decisions', () => {
    expect(newestOf(rows).map(({ id }) => id)).toEqual(['newest', 'undecided', 'etsy'])
  })

  it('are dismissed together', () => {
    expect(finishedLike(rows[0]!, rows).map(({ id }) => id)).toEqual(['newest', 'older'])
  })
})
