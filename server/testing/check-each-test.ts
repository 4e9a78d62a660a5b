import { afterEach, inject } from 'vitest'
import { quietMoments } from './quiet-moments.ts'

// A failure of the global setup itself would end the run of every project.
const failure = inject('failedDatabase')
if (failure) throw new Error(failure)

// Drop checks that an aborted file left behind.
quietMoments.clear()

// This hook is registered first, so it runs last.
afterEach(async () => {
  for (const check of quietMoments) await check()
})
