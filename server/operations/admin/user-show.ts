import type { AdminCommand } from './command.ts'
import { describeUser, findUser } from './find-user.ts'
import * as sql from './queries.ts'

export const userShow: AdminCommand = {
  name: 'user show',
  usage: ['--email E', 'shows its shops and how much it has'],
  async run({ services, options }) {
    const account = await findUser(services, options)
    const { shops, ...figures } = await services.db.one(sql.showAccount({ user_id: account.id }))
    const lines = [
      describeUser(account),
      ...shops.map(({ platform, name, status }) => `  ${platform}: ${name ?? 'without a name'}, ${status}`),
      ...Object.entries(figures).map(([name, value]) => `  ${name.replaceAll('_', ' ')}: ${value ?? 'none'}`),
    ]
    return { json: { ...account, ...figures, shops }, words: lines.join('\n') }
  },
}
