import { inject } from 'vitest'

// A failure of the global setup itself would end the run of every project.
const failure = inject('failedBuild')
if (failure) throw new Error(failure)
