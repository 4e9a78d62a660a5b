import { exportAccount } from '#server/accounts/closing/export-account.ts'
import type { AdminCommand } from './command.ts'
import { findUser, supportOrigin } from './find-user.ts'

export const userExport: AdminCommand = {
  name: 'user export',
  usage: ['--email E', 'writes everything about an account as JSON'],
  async run({ services, options, write }) {
    const account = await findUser(services, options)
    for await (const part of exportAccount(services.db, account.id, services.now())) write(part)
    write('\n')
    await services.audit.record({ user_id: account.id, action: 'account.exported', origin: supportOrigin })
    return null
  },
}
