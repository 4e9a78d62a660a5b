import type { AdminCommand } from './command.ts'
import * as sql from './queries.ts'

export const actionList: AdminCommand = {
  name: 'action list',
  usage: ['', 'lists what operators changed with this command, newest first'],
  async run({ services }) {
    const rows = await services.db.any(sql.listActions({ limit: 200 }))
    const lines = rows.map(({ at, operator, command, subject }) => `${at}  ${operator}  ${command}  ${subject}`)
    return { json: rows, words: lines.length === 0 ? 'Nothing was changed.' : lines.join('\n') }
  },
}
