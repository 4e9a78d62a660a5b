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

/** The pages of connecting a shop in a browser (decisions 5): plain HTML, no script, nothing to frame. */
export function mountConnectionPages(router: Router, services: Services): void {
  const limits = databaseLimits(services.db, services.limits)

  /** Mounts a declared page with what all of them share. */
  function mount(operationId: keyof typeof connectionPages, answer: Koa.Middleware): void {
    const declaration: RouteDeclaration = connectionPages[operationId]
    const prepare: Koa.Middleware = (ctx, next) => {
      ctx.state.operationId = operationId
      ctx.state.publicUrl = services.config.PUBLIC_URL
      ctx.set('Cache-Control', 'no-store')
      // With no-referrer, which every other answer has, a browser says "Origin: null" for our own forms too.
      if (declaration.path.startsWith('/connect/')) ctx.set('Referrer-Policy', 'same-origin')
      return next()
    }
    const admit: Koa.Middleware = async (ctx, next) => {
      await limits.admitAddress(ctx, ctx.state.address, declaration, 'none')
      return next()
    }
    const path = declaration.path.replace(/\{(\w+)\}/g, ':$1')
    const method = declaration.method === 'POST' ? 'post' : 'get'
    router[method](path, prepare, errorsAsPages, admit, answer)
  }

  const login = loginPages(services)
  mount('openConnection', login.open)
  mount('confirmConnection', login.confirm)
  mount('finishConnection', callbackPage(services))
  const {
    show,
    signIn,
    secondStep,
    beginPasskeyLogin,
    passkeyLogin,
    showRegister,
    register,
    start,
    disconnectShop,
    confirmAgain,
    signOut,
  } = connectPages(services)
  mount('showConnectPage', show)
  mount('signInToConnect', signIn)
  mount('signOutOfConnect', signOut)
  mount('showRegisterPage', showRegister)
  mount('registerOnPage', register)
  mount('confirmAgainOnPage', confirmAgain)
  const address = addressPages(services)
  mount('showAddressPage', address.show)
  mount('saveAddressOnPage', address.save)
  const subscription = subscriptionPages(services)
  mount('showSubscriptionPage', subscription.show)
  mount('comeBackFromStripe', subscription.back)
  mount('openCheckoutOnPage', subscription.checkout)
  mount('openPortalOnPage', subscription.portal)
  const security = securityPages(services)
  mount('showSecurityPage', security.show)
  mount('endOtherSessionsOnPage', security.endOthers)
  mount('endSessionOnPage', security.endSession)
  mount('beginTotpOnPage', security.beginApp)
  mount('confirmTotpOnPage', security.confirmApp)
  mount('removeTotpOnPage', security.removeApp)
  mount('renewRecoveryCodesOnPage', security.renewCodes)
  mount('beginPasskeyOnPage', security.beginPasskey)
  mount('addPasskeyOnPage', security.addPasskey)
  mount('removePasskeyOnPage', security.removePasskey)
  mount('giveSecondFactorOnPage', secondStep)
  mount('beginPasskeyLoginOnPage', beginPasskeyLogin)
  mount('logInByPasskeyOnPage', passkeyLogin)
  mount('connectOnPage', start)
  mount('disconnectOnPage', disconnectShop)
}
