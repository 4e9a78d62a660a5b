import { inject } from 'vitest'

// See global-setup.ts.
const failure = inject('failedBuild')
if (failure) throw new Error(failure)
