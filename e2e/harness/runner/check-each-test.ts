import { afterEach, inject } from 'vitest'
import { quietMoments } from '../database/quiet-moments.ts'

// See global-setup.ts.
const failure = inject('failedDatabase')
if (failure) throw new Error(failure)

// Drop checks that an aborted file left behind.
quietMoments.clear()

// This hook is registered first, so it runs last.
afterEach(async () => {
  for (const check of quietMoments) await check()
})
