import { noContent, ok } from '#server/http/answers/replies.ts'
import type { Handlers } from '#server/http/mount.ts'
import type { Services } from '#server/services.ts'
import type { secondFactor } from '#shared/contract/account/second-factor.ts'
import { logInBySecondFactor } from './complete-sign-in.ts'
import { beginTotp, confirmTotp, removeTotp, renewRecoveryCodes, secondFactorOf } from './totp.ts'

export function secondFactorRoutes(services: Services): Handlers<typeof secondFactor> {
  return {
    getSecondFactor: (_input, { principal }) => ok(secondFactorOf(services.db, principal.user_id)),

    beginTotp: (_input, { principal: { user } }) =>
      ok(beginTotp(services, { id: user.id, name: user.email ?? user.username })),

    confirmTotp: async ({ body }, { principal }) => ({
      status: 200,
      body: { recovery_codes: await confirmTotp(services, principal.user_id, body.code) },
    }),

    removeTotp: (_input, { principal }) => noContent(removeTotp(services, principal.user_id)),

    renewRecoveryCodes: async (_input, { principal }) => ({
      status: 200,
      body: { recovery_codes: await renewRecoveryCodes(services, principal.user_id) },
    }),

    logInBySecondFactor: ({ body }, client) => ok(logInBySecondFactor(services, body, client)),
  }
}
