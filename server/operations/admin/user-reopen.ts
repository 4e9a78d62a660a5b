import { keptDays } from '#server/accounts/closing/erase-account.ts'
import type { AdminCommand } from './command.ts'
import { findClosedUser, nameOf } from './find-user.ts'
import * as sql from './queries.ts'

export const userReopen: AdminCommand = {
  name: 'user reopen',
  usage: ['--email E --yes', `reopens a closed account within ${keptDays} days`],
  async run({ services, options, confirm }) {
    const account = await findClosedUser(services, options)
    confirm(`This opens ${nameOf(account)} again.`)
    const opened = await services.db.oneOrNone(sql.reopenAccount({ user_id: account.id, kept_days: keptDays }))
    if (!opened) {
      throw new Error(`Account ${account.id} was closed more than ${keptDays} days ago and cannot be opened.`)
    }
    return {
      json: { id: account.id, reopened: true },
      words: `Account ${account.id} is open again. Its owner signs in, connects the shops again and makes new API keys.`,
      changed: `user ${account.id}`,
    }
  },
}
