import { sql } from '#server/infra/db/index.ts'
import type { AdminCommand } from './command.ts'

const listActions = sql(import.meta.url, './sql/list-actions.sql')

export const actionList: AdminCommand = {
  name: 'action list',
  usage: ['', 'lists what operators changed with this command, newest first'],
  async run({ services }) {
    const rows = await services.db.any<{ at: string; operator: string; command: string; subject: string }>(
      listActions,
      {
        limit: 200,
      },
    )
    const lines = rows.map(({ at, operator, command, subject }) => `${at}  ${operator}  ${command}  ${subject}`)
    return { json: rows, words: lines.length === 0 ? 'Nothing was changed.' : lines.join('\n') }
  },
}
