import type Router from '@koa/router'
import type Koa from 'koa'
import type { Services } from '#server/services.ts'
import { callbackPage } from './callback.ts'
import { connectPages } from './connect.ts'
import { errorsAsPages } from './error-page.ts'
import { loginPage } from './login.ts'

/** The pages of connecting a shop in a browser (decisions 5): plain HTML, no script, nothing to frame. */
export function mountConnectionPages(router: Router, services: Services): void {
  const page =
    (operationId: string): Koa.Middleware =>
    (ctx, next) => {
      ctx.state.operationId = operationId
      ctx.state.publicUrl = services.config.PUBLIC_URL
      ctx.set('Cache-Control', 'no-store')
      return next()
    }
  // With no-referrer, which every other answer has, a browser says "Origin: null" for our own forms too.
  const withForms: Koa.Middleware = (ctx, next) => {
    ctx.set('Referrer-Policy', 'same-origin')
    return next()
  }

  router.get('/accounts/:slug/login/', page('openConnection'), errorsAsPages, loginPage(services))
  router.get('/accounts/:slug/login/callback/', page('finishConnection'), errorsAsPages, callbackPage(services))

  const { show, signIn, start, signOut } = connectPages(services)
  router.get('/connect/', page('connectPage'), withForms, errorsAsPages, show)
  router.post('/connect/', page('connectSignIn'), withForms, errorsAsPages, signIn)
  router.post('/connect/sign-out/', page('connectSignOut'), withForms, errorsAsPages, signOut)
  router.post('/connect/:slug/', page('connectStart'), withForms, errorsAsPages, start)
}
