import type Router from '@koa/router'
import type Koa from 'koa'
import { databaseLimits } from '#server/http/rate-limit-database.ts'
import type { Services } from '#server/services.ts'
import { confirmEmailVerification, confirmPasswordReset, requestPasswordReset } from '#shared/contract/accounts.ts'
import type { RouteDeclaration } from '#shared/contract/route.ts'
import { forgotPasswordPages } from './forgot-password.ts'
import { linkErrors } from './link-errors.ts'
import { resetPasswordPages } from './reset-password.ts'
import { verifyEmailPages } from './verify-email.ts'

/**
 * The pages that links in mail open (decisions 4), and the one that asks for a link: plain HTML, no script. Opening one
 * changes nothing (a scanner or a preview may do it); its form does.
 */
export function mountAccountPages(router: Router, services: Services): void {
  const limits = databaseLimits(services.db, services.limits)
  const admit =
    (operation: string, declaration: RouteDeclaration): Koa.Middleware =>
    async (ctx, next) => {
      ctx.state.operationId = operation
      ctx.set('Cache-Control', 'no-store')
      await limits.admitAddress(ctx, ctx.state.address, declaration, 'none')
      await next()
    }
  const verify = verifyEmailPages(services)
  router.get('/account/verify-email', linkErrors, admit('showVerifyEmail', confirmEmailVerification), verify.show)
  router.post('/account/verify-email', linkErrors, admit('verifyEmail', confirmEmailVerification), verify.confirm)
  const reset = resetPasswordPages(services)
  router.get('/account/reset-password', linkErrors, admit('showResetPassword', confirmPasswordReset), reset.show)
  router.post('/account/reset-password', linkErrors, admit('resetPassword', confirmPasswordReset), reset.confirm)
  // No secret stands in this address; without a referrer a browser would say "Origin: null" for its form too.
  const sameOrigin: Koa.Middleware = (ctx, next) => {
    ctx.set('Referrer-Policy', 'same-origin')
    return next()
  }
  const forgot = forgotPasswordPages(services)
  const path = '/account/forgot-password'
  router.get(path, sameOrigin, linkErrors, admit('showForgotPassword', requestPasswordReset), forgot.show)
  router.post(path, sameOrigin, linkErrors, admit('forgotPassword', requestPasswordReset), forgot.request)
}
