import type Router from '@koa/router'
import type Koa from 'koa'
import { databaseLimits } from '#server/http/limits/rate-limit-database.ts'
import type { Services } from '#server/services.ts'
import { appPlaces } from '#shared/app-places.ts'
import { connectionPages } from '#shared/contract/connections.ts'
import type { RouteDeclaration } from '#shared/contract/declaring/route.ts'
import { callbackPage } from './callback.ts'
import { errorsAsPages } from './error-page.ts'
import { loginPages } from './login.ts'
import { seeOther } from './see-other.ts'
import { createSessionReader } from './session.ts'
import { signInPages } from './sign-in.ts'

/** Pages that earlier versions had, in links of mails and of Stripe, and the place of the web app that took them over. */
const moved: [path: string, fragment: string][] = [
  ['/connect/address/', appPlaces.address],
  ['/connect/security/', appPlaces.security],
  ['/connect/subscription/', appPlaces.subscription],
]

/**
 * Mounts the pages that sign in and that connect a shop in a browser: plain HTML without scripts, never framed. Everything
 * else about an account is in the web app.
 */
export function mountConnectionPages(router: Router, services: Services): void {
  const limits = databaseLimits(services.db, services.limits)
  const readSession = createSessionReader(services)
  const pages: Record<keyof typeof connectionPages, Koa.Middleware> = {
    ...loginPages(services, readSession),
    finishConnection: callbackPage(services),
    ...signInPages(services, readSession),
  }
  for (const [path, fragment] of moved) router.get(path, (ctx) => seeOther(ctx, `/app/${fragment}`))
  // Stripe sends sellers back here. Its redirect carries no session cookie, but the calls of the app do.
  router.get('/connect/subscription/back/', (ctx) => {
    const paid = ctx.query.from === 'checkout' ? '/paid' : ''
    seeOther(ctx, `/app/${appPlaces.subscription}${paid}`)
  })
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
