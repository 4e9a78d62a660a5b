import { createImageStore } from '#server/infra/image-store/index.ts'
import { dueWork } from '#server/infra/jobs/due-work.ts'
import type { JobKind } from '#server/infra/jobs/index.ts'
import type { Services } from '#server/services.ts'
import { copyDueImages } from './copy-images.ts'
import { createPoliteFetch } from './polite-fetch.ts'
import { removeExpiredImages, removeImageFiles } from './tidy-images.ts'

/** Returns the jobs on photos. */
export function imagesJobs(services: Services): JobKind<object>[] {
  const store = createImageStore(services.config)
  const usual = { concurrency: 1, unique: true, retryLimit: 3, retryDelaySeconds: 30, heartbeatSeconds: 20 }
  return [
    ...copyJobs(services),
    {
      ...usual,
      queue: 'remove-image-files',
      everySeconds: 60,
      expireInSeconds: 600,
      run: (_payload, signal) => removeImageFiles(services.db, store, signal),
    },
    {
      ...usual,
      queue: 'remove-unused-images',
      everySeconds: 3_600,
      expireInSeconds: 1_800,
      run: (_payload, signal) => removeExpiredImages(services.db, signal),
    },
  ]
}

/** While copying is off, items stay queued. It continues with them when it is on again. */
function copyJobs(services: Services): JobKind<object>[] {
  if (services.config.IMAGE_COPIES === 'off' || !services.fetchPicture) return []
  const store = createImageStore(services.config)
  const tools = { services, store, fetchPicture: createPoliteFetch(services.fetchPicture), slowAccounts: new Map() }
  return [dueWork('copy-images', (signal) => copyDueImages(tools, signal), { everySeconds: 15 })]
}
