import { sql } from '#server/infra/db/index.ts'
import type { AdminCommand } from './command.ts'
import { describeUser, findUser } from './find-user.ts'

const showAccount = sql(import.meta.url, './sql/show-account.sql')

export const userShow: AdminCommand = {
  name: 'user show',
  usage: ['--email E', 'shows its shops and how much it has'],
  async run({ services, options }) {
    const account = await findUser(services, options)
    const { shops, ...figures } = await services.db.one<
      Record<string, unknown> & { shops: { platform: string; name: string | null; status: string }[] }
    >(showAccount, { user_id: account.id })
    const lines = [
      describeUser(account),
      ...shops.map(({ platform, name, status }) => `  ${platform}: ${name ?? 'without a name'}, ${status}`),
      ...Object.entries(figures).map(([name, value]) => `  ${name.replaceAll('_', ' ')}: ${value ?? 'none'}`),
    ]
    return { json: { ...account, ...figures, shops }, words: lines.join('\n') }
  },
}
