import * as registrationSql from '#server/accounts/registration/queries.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import type { AdminCommand } from './command.ts'
import { findUser, nameOf } from './find-user.ts'

export const userOwn: AdminCommand = {
  name: 'user own',
  usage: ['--email E --yes', 'makes an account the owner of this server, who invites others'],
  async run({ services, options, confirm }) {
    const account = await findUser(services, options)
    confirm(`This makes ${nameOf(account)} the owner of this server, instead of any other.`)
    await transaction(services.db, 'hand-over', async (tx) => {
      await tx.none(registrationSql.giveUpOwnership())
      await tx.none(registrationSql.claimOwnership({ user_id: account.id }))
    })
    return {
      json: { id: account.id },
      words: `${nameOf(account)} owns this server.`,
      changed: `user ${account.id}`,
    }
  },
}
