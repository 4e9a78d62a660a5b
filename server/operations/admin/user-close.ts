import { deactivateAccount } from '#server/accounts/closing/deactivate.ts'
import { keptDays } from '#server/accounts/closing/erase-account.ts'
import type { AdminCommand } from './command.ts'
import { findUser, nameOf, supportOrigin } from './find-user.ts'

export const userClose: AdminCommand = {
  name: 'user close',
  usage: ['--email E --yes', `closes an account as its owner would; ${keptDays} days later it is erased`],
  async run({ services, options, confirm }) {
    const account = await findUser(services, options)
    if (account.state !== 'active') throw new Error(`Account ${account.id} is closed already.`)
    confirm(`This signs ${nameOf(account)} out, ends its connections and stops its work. Listings stay up.`)
    await deactivateAccount(services, account.id)
    await services.audit.record({ user_id: account.id, action: 'account.closed', origin: supportOrigin })
    return {
      json: { id: account.id, closed: true },
      words: `Account ${account.id} is closed. Its owner gets a mail, and can be let in again within ${keptDays} days.`,
      changed: `user ${account.id}`,
    }
  },
}
