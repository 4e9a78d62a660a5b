import { giveOwnership } from '#server/accounts/registration/ownership.ts'
import type { AdminCommand } from './command.ts'
import { findUser, nameOf } from './find-user.ts'

export const userOwn: AdminCommand = {
  name: 'user own',
  usage: ['--email E --yes', 'makes an account the owner of this server, who invites others'],
  async run({ services, options, confirm }) {
    const account = await findUser(services, options)
    confirm(`This makes ${nameOf(account)} the owner of this server, instead of any other.`)
    await giveOwnership(services.db, account.id)
    return {
      json: { id: account.id },
      words: `${nameOf(account)} owns this server.`,
      changed: `user ${account.id}`,
    }
  },
}
