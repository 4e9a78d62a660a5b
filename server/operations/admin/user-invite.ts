import { invite } from '#server/accounts/registration/invite.ts'
import type { AdminCommand } from './command.ts'

export const userInvite: AdminCommand = {
  name: 'user invite',
  usage: ['--yes', 'makes a link that lets one person register, within seven days'],
  async run({ services, confirm }) {
    confirm('This makes a link that lets one person register.')
    const made = await invite(services, services.db)
    return { json: made, words: `${made.url}\nIt works once, until ${made.expires_at}.`, changed: 'an invitation' }
  },
}
