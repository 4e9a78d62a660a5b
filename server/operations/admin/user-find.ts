import type { AdminCommand } from './command.ts'
import { describeUser, findUser } from './find-user.ts'

export const userFind: AdminCommand = {
  name: 'user find',
  usage: ['--email E (or --phone P, --id N)', 'finds an account'],
  async run({ services, options }) {
    const account = await findUser(services, options)
    return { json: account, words: describeUser(account) }
  },
}
