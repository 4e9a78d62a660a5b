import type Router from '@koa/router'
import type Koa from 'koa'
import { databaseLimits } from '#server/http/limits/rate-limit-database.ts'
import type { Services } from '#server/services.ts'
import {
  confirmEmailVerification,
  confirmPasswordReset,
  requestPasswordReset,
} from '#shared/contract/account/accounts.ts'
import type { RouteDeclaration } from '#shared/contract/declaring/route.ts'
import { forgotPasswordPages } from './forgot-password.ts'
import { linkErrors } from './link-errors.ts'
import { resetPasswordPages } from './reset-password.ts'
import { verifyEmailPages } from './verify-email.ts'

/**
 * Mounts the pages behind links in mail and the page that requests such a link: plain HTML. Opening one
 * changes nothing, since scanners and previews open links; only its form does.
 */
export function mountAccountPages(router: Router, services: Services): void {
  const limits = databaseLimits(services.db, services.limits)
  const admit =
    (operation: string, declaration: RouteDeclaration): Koa.Middleware =>
    async (ctx, next) => {
      ctx.state.operationId = operation
      ctx.set('Cache-Control', 'no-store')
      await limits.limitAddress(ctx, ctx.state.address, declaration, 'none')
      await next()
    }
  const verify = verifyEmailPages(services)
  router.get('/account/verify-email', linkErrors, admit('showVerifyEmail', confirmEmailVerification), verify.show)
  router.post('/account/verify-email', linkErrors, admit('verifyEmail', confirmEmailVerification), verify.confirm)
  const reset = resetPasswordPages(services)
  router.get('/account/reset-password', linkErrors, admit('showResetPassword', confirmPasswordReset), reset.show)
  router.post('/account/reset-password', linkErrors, admit('resetPassword', confirmPasswordReset), reset.confirm)
  // The address holds no secret. Under no-referrer, browsers send "Origin: null" with the form.
  const sameOrigin: Koa.Middleware = (ctx, next) => {
    ctx.set('Referrer-Policy', 'same-origin')
    return next()
  }
  const forgot = forgotPasswordPages(services)
  const path = '/account/forgot-password'
  router.get(path, sameOrigin, linkErrors, admit('showForgotPassword', requestPasswordReset), forgot.show)
  router.post(path, sameOrigin, linkErrors, admit('forgotPassword', requestPasswordReset), forgot.request)
}
