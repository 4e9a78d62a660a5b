import { eraseAccount } from '#server/accounts/closing/erase-account.ts'
import type { AdminCommand } from './command.ts'
import { findClosedUser, nameOf } from './find-user.ts'

export const userErase: AdminCommand = {
  name: 'user erase',
  usage: ['--email E --yes', 'erases the data of a closed account at once'],
  async run({ services, options, confirm }) {
    const account = await findClosedUser(services, options)
    confirm(`This erases all data of ${nameOf(account)} and cannot be undone.`)
    await eraseAccount(services, account.id)
    return {
      json: { id: account.id, erased: true },
      words: `The data of account ${account.id} is erased.`,
      changed: `user ${account.id}`,
    }
  },
}
