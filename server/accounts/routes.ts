import { Readable } from 'node:stream'
import { deactivateAccount } from '#server/accounts/closing/deactivate.ts'
import { exportAccount } from '#server/accounts/closing/export-account.ts'
import { created, ok } from '#server/http/answers/replies.ts'
import type { Handlers } from '#server/http/mount.ts'
import { removeAtApple } from '#server/infra/mail-sms/templates.ts'
import type { Services } from '#server/services.ts'
import type { accounts } from '#shared/contract/account/accounts.ts'
import {
  confirmEmailVerification,
  findEmailVerification,
  requestEmailVerification,
} from './email-verification/verify-email.ts'
import { limitSubject } from './limits/account-keys.ts'
import { enforceLimit } from './limits/event-limits.ts'
import { recoverEmail } from './recovery/recover-email.ts'
import { confirmPasswordReset, requestPasswordReset, verifyPasswordReset } from './recovery/reset-password.ts'
import { endToken } from './sessions/issue-token.ts'
import { createAppleClient } from './sign-in/apple/client.ts'
import { connectSocial } from './sign-in/apple/connect-social.ts'
import { signInWithApple } from './sign-in/apple/sign-in.ts'
import { changePassword } from './sign-in/password/change-password.ts'
import { logInByPassword } from './sign-in/password/log-in-by-password.ts'
import { registerByEmail } from './sign-in/password/register-by-email.ts'
import { beginPhoneLogin, verifyPhoneLogin } from './sign-in/phone/log-in-by-phone.ts'
import { beginPhoneRegistration, verifyPhoneRegistration } from './sign-in/phone/register-by-phone.ts'
import { reauthenticate } from './sign-in/reauthenticate.ts'

export function accountsRoutes(services: Services): Handlers<typeof accounts> {
  const apple = createAppleClient(services)
  return {
    registerByEmail: ({ body }, client) => created(registerByEmail(services, body, client)),

    logInByPassword: ({ body }, client) => ok(logInByPassword(services, body, client)),

    validateToken: async (_input, { principal }) => ({ status: 200, body: { valid: true, user: principal.user } }),

    logOut: async (_input, { principal }) => {
      await endToken(services.db, principal)
      return { status: 200, body: { detail: 'You are signed out.' } }
    },

    beginPhoneRegistration: ({ body }, { address }) => ok(beginPhoneRegistration(services, body, address)),

    verifyPhoneRegistration: ({ body }, client) => created(verifyPhoneRegistration(services, body, client)),

    beginPhoneLogin: ({ body }, { address }) => ok(beginPhoneLogin(services, body, address)),

    verifyPhoneLogin: ({ body }, client) => ok(verifyPhoneLogin(services, body, client)),

    signInWithApple: ({ body }, client) => ok(signInWithApple(services, apple, body, client)),

    requestPasswordReset: async ({ body }, { address }) => {
      await requestPasswordReset(services, body, address)
      return { status: 200, body: { detail: 'If this address has an account, a link is on its way to it.' } }
    },

    verifyPasswordReset: async ({ body }, { address }) => ({
      status: 200,
      body: { email_hint: await verifyPasswordReset(services, body.token, address) },
    }),

    confirmPasswordReset: async ({ body }, { address, actsFor }) => {
      actsFor(await confirmPasswordReset(services, body, address))
      return { status: 200, body: { detail: 'The new password is set. Sign in with it.' } }
    },

    changePassword: async ({ body }, { principal, ...client }) => {
      const token = await changePassword(services, principal, body, client)
      return { status: 200, body: { detail: 'The password is changed. All other sessions have ended.', token } }
    },

    reauthenticate: async ({ body }, { principal }) => {
      await reauthenticate(services, principal, body)
      return { status: 200, body: { detail: 'Thank you. You can go on.' } }
    },

    connectSocialAccount: async ({ body }, { principal }) => {
      await connectSocial(services, apple, principal, body)
      return { status: 200, body: { detail: 'The account is linked.' } }
    },

    recoverEmail: async ({ body }, { address }) => {
      await recoverEmail(services, body, address)
      const detail = 'If this number belongs to an account, its email address is on its way by text.'
      return { status: 200, body: { detail } }
    },

    getEmailVerification: (_input, { principal }) => ok(findEmailVerification(services, principal.user_id)),

    requestEmailVerification: async (_input, { principal }) => {
      const outcome = await requestEmailVerification(services, principal.user_id)
      const detail = outcome === 'sent' ? 'A link is on its way to your address.' : 'Your address is verified already.'
      return { status: 200, body: { detail } }
    },

    confirmEmailVerification: async ({ body }, { address, actsFor }) => {
      actsFor(await confirmEmailVerification(services, body, address))
      return { status: 200, body: { detail: 'Your email address is verified. Sign in again.' } }
    },

    exportAccount: async (_input, { principal }) => {
      const subject = limitSubject(services.config, `user ${principal.user_id}`)
      await enforceLimit(services.db, 'export', subject, [{ max: 5, seconds: 3_600 }])
      // Streamed, since the document may not fit into memory.
      return {
        status: 200,
        body: Readable.from(exportAccount(services.db, principal.user_id, services.now())) as never,
      }
    },

    deactivateAccount: async (_input, { principal }) => {
      const isGrantLeft = await deactivateAccount(services, principal.user_id)
      const message = `Your account is closed. Its data is erased in 30 days.${isGrantLeft ? ` ${removeAtApple}` : ''}`
      return { status: 200, body: { message } }
    },
  }
}
