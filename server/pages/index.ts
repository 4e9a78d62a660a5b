import type Router from '@koa/router'
import type Koa from 'koa'
import { databaseLimits } from '#server/http/limits/rate-limit-database.ts'
import { publicItemPage } from '#server/pages/public-item.ts'
import type { Services } from '#server/services.ts'
import { eventStreams } from '#shared/contract/events.ts'
import { contract } from '#shared/contract/index.ts'
import { mountAccountPages } from './account/mount.ts'
import { mountAssets } from './assets.ts'
import { mountConnectionPages } from './connections/mount.ts'
import { mountExtensionPage } from './extension.ts'
import { homePage } from './home.ts'
import { privacyPage } from './privacy.ts'
import { errorsPage, referencePage } from './reference.ts'
import { mountReferenceApp } from './reference-app.ts'
import { mountSandboxOutbox } from './sandbox-outbox.ts'
import { mountWebApp } from './web-app/mount.ts'

/** Mounts the server's own pages: HTML without scripts in one frame, readable on a phone. */
export function mountPages(router: Router, services: Services): void {
  mountAssets(router)
  mountConnectionPages(router, services)
  mountAccountPages(router, services)
  mountSandboxOutbox(router, services)
  mountWebApp(router, services)
  mountExtensionPage(router, services)
  router.get('/', homePage(services))
  const limits = databaseLimits(services.db, services.limits)
  // Pages that query the database count against the limit of their address.
  const admit: Koa.Middleware = async (ctx, next) => {
    await limits.limitAddress(ctx, ctx.state.address, { auth: 'none' }, 'none')
    return next()
  }
  router.get('/items/:uid', admit, publicItemPage(services))
  mountReferenceApp(router, referencePage({ ...contract, ...eventStreams }, services.config.PUBLIC_URL))
  router.get('/docs/errors', errorsPage())
  router.get('/privacy', privacyPage(services.config))
}
