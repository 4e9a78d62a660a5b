import type { Handlers } from '#server/http/mount.ts'
import type { Services } from '#server/services.ts'
import type { secondFactor } from '#shared/contract/account/second-factor.ts'
import { logInBySecondFactor } from './complete-sign-in.ts'
import { beginTotp, confirmTotp, removeTotp, renewRecoveryCodes, secondFactorOf } from './totp.ts'

export function secondFactorRoutes(services: Services): Handlers<typeof secondFactor> {
  return {
    getSecondFactor: async (_input, { principal }) => ({
      status: 200,
      body: await secondFactorOf(services.db, principal.user_id),
    }),

    beginTotp: async (_input, { principal: { user } }) => ({
      status: 200,
      body: await beginTotp(services, { id: user.id, name: user.email ?? user.username }),
    }),

    confirmTotp: async ({ body }, { principal }) => ({
      status: 200,
      body: { recovery_codes: await confirmTotp(services, principal.user_id, body.code) },
    }),

    removeTotp: async (_input, { principal }) => {
      await removeTotp(services, principal.user_id)
      return { status: 204 }
    },

    renewRecoveryCodes: async (_input, { principal }) => ({
      status: 200,
      body: { recovery_codes: await renewRecoveryCodes(services, principal.user_id) },
    }),

    logInBySecondFactor: async ({ body }, client) => ({
      status: 200,
      body: await logInBySecondFactor(services, body, client),
    }),
  }
}
