import { describe, expect, it } from 'vitest'
import type { ImportJob } from '#shared/contract/imports.ts'
import { finishedLike, importRows, newestOf } from './import-rows.ts'

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

describe('the total of an import', () => {
  it.each([
    ['is not told while more is being found', job({}), null],
    [
      'is not told before anything is found',
      job({ total_listings_found: 0, items_imported: 0, progress_percentage: 0 }),
      null,
    ],
    ['is told once all are found', job({ total_listings_found: 271, progress_percentage: 37 }), 271],
    ['is what was found when it is over', job({ status: 'completed', progress_percentage: 100 }), 100],
  ])('%s', (_name, one, total) => {
    expect(importRows([one], [], [])[0]?.total).toBe(total)
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
  )

  it('are one line, the newest; what waits for the seller stays beside it', () => {
    expect(newestOf(rows).map(({ id }) => id)).toEqual(['newest', 'undecided', 'etsy'])
  })

  it('go together when that line is dismissed', () => {
    expect(finishedLike(rows[0]!, rows).map(({ id }) => id)).toEqual(['newest', 'older'])
  })
})
