import type Router from '@koa/router'
import type Koa from 'koa'
import { databaseLimits } from '#server/http/rate-limit-database.ts'
import type { Services } from '#server/services.ts'
import { connectionPages } from '#shared/contract/connections.ts'
import type { RouteDeclaration } from '#shared/contract/route.ts'
import { addressPages } from './address.ts'
import { callbackPage } from './callback.ts'
import { connectPages } from './connect.ts'
import { errorsAsPages } from './error-page.ts'
import { loginPages } from './login.ts'
import { securityPages } from './security.ts'
import { subscriptionPages } from './subscription.ts'

/** Mounts the pages that connect a shop in a browser: plain HTML without scripts, never framed. */
export function mountConnectionPages(router: Router, services: Services): void {
  const limits = databaseLimits(services.db, services.limits)

  // Koa tries routes in this order: `/connect/{slug}/` follows the fixed addresses that it would match too.
  const { connectOnPage, ...connect } = connectPages(services)
  const pages: Record<keyof typeof connectionPages, Koa.Middleware> = {
    ...loginPages(services),
    finishConnection: callbackPage(services),
    ...connect,
    ...addressPages(services),
    ...subscriptionPages(services),
    ...securityPages(services),
    connectOnPage,
  }
  for (const [operationId, answer] of Object.entries(pages)) {
    const declaration: RouteDeclaration = connectionPages[operationId as keyof typeof connectionPages]
    const prepare: Koa.Middleware = (ctx, next) => {
      ctx.state.operationId = operationId
      ctx.state.publicUrl = services.config.PUBLIC_URL
      ctx.set('Cache-Control', 'no-store')
      // Browsers send "Origin: null" with forms under no-referrer, the default of every other response.
      if (declaration.path.startsWith('/connect/')) ctx.set('Referrer-Policy', 'same-origin')
      return next()
    }
    const limitRate: Koa.Middleware = async (ctx, next) => {
      await limits.limitAddress(ctx, ctx.state.address, declaration, 'none')
      return next()
    }
    const path = declaration.path.replace(/\{(\w+)\}/g, ':$1')
    const method = declaration.method === 'POST' ? 'post' : 'get'
    router[method](path, prepare, errorsAsPages, limitRate, answer)
  }
}
