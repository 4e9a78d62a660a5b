import { readConfig } from '#server/config.ts'
import { openDatabase } from '#server/infra/db/index.ts'
import { createImageStore } from '#server/infra/image-store/index.ts'
import { createLog } from '#server/infra/log/log.ts'
import { createFetchPicture } from '#server/integrations/fetch-picture.ts'
import type { Services } from '#server/services.ts'
import { copyDueImages } from '../copy-images.ts'

/** A worker in its own process that copies due photos and kills itself at a step. Instructions come as JSON. */
const { environment, origin, killAt } = JSON.parse(process.argv[2] ?? '') as {
  environment: Record<string, string>
  origin: string
  killAt: string
}
const config = readConfig(environment)
const services = {
  config,
  db: openDatabase({ url: config.DATABASE_URL!, max: 4 }),
  log: createLog('silent'),
  now: () => new Date(),
} as Services
await copyDueImages({
  services,
  store: createImageStore(config),
  fetchPicture: createFetchPicture({ platformOrigins: [origin] }),
  async step(name) {
    if (name !== killAt) return
    process.kill(process.pid, 'SIGKILL')
    // The signal may take a moment. Nothing more runs until then.
    await new Promise(() => {})
  },
})
process.exit(0)
