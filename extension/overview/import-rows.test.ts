import { describe, expect, it } from 'vitest'
import type { ImportJob } from '#shared/contract/imports.ts'
import { importRows } from './import-rows.ts'

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
