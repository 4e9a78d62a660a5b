import { expect, it } from 'vitest'
import { settledCounts } from './settled-counts.ts'

it('counts a retried listing as done, and nothing twice', () => {
  const job = { succeeded: 4, failed: 3, pending: 0, manual: 1 }
  expect(settledCounts(job, [{ status: 'listed' }, { status: 'pending' }])).toEqual({
    succeeded: 5,
    failed: 1,
    pending: 1,
    manual: 1,
  })
  expect(settledCounts(job, [])).toEqual(job)
})
