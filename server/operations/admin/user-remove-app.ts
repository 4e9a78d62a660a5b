import { removeTotp } from '#server/accounts/sign-in/second-factor/totp.ts'
import { HttpProblem } from '#server/infra/errors.ts'
import type { AdminCommand } from './command.ts'
import { findUser, nameOf, supportOrigin } from './find-user.ts'

/** Removes a lost authenticator app, mails the owner and records support in the audit trail. */
export const userRemoveApp: AdminCommand = {
  name: 'user remove-app',
  usage: ['--email E --yes', 'removes a lost authenticator app with its recovery codes'],
  async run({ services, options, confirm }) {
    const account = await findUser(services, options)
    confirm(`This lets anybody with the password of ${nameOf(account)} sign in without a code. Make sure who asks.`)
    await removeTotp(services, account.id).catch((error: unknown) => {
      if (error instanceof HttpProblem) throw new Error(`Account ${account.id} is closed, or has no authenticator app.`)
      throw error
    })
    await services.audit.record({ user_id: account.id, action: 'second_factor.disabled', origin: supportOrigin })
    return {
      json: { id: account.id, app_removed: true },
      words: `The authenticator app of account ${account.id} is removed. Its owner gets a mail.`,
      changed: `user ${account.id}`,
    }
  },
}
