import type { AdminCommand } from './command.ts'
import * as sql from './queries.ts'

const states = ['waiting', 'failed', 'expired']
const most = 200

export const messageList: AdminCommand = {
  name: 'message list',
  usage: [
    '[--state waiting]',
    `lists mails and texts of a state (${states.join(', ')}) with the reason, the oldest first`,
  ],
  async run({ services, options }) {
    const state = options.state ?? 'waiting'
    if (!states.includes(state)) throw new Error(`--state is one of ${states.join(', ')}.`)
    const messages = await services.db.any(
      sql.listMessages({ states: state === 'waiting' ? ['waiting', 'sending'] : [state], limit: most }),
    )
    const lines = messages.map(({ id, channel, template, account, attempts, created_at, error }) =>
      [
        id,
        channel,
        template,
        account === null ? '' : `account ${account}`,
        created_at,
        `tries ${attempts}`,
        error ?? '',
      ]
        .filter(Boolean)
        .join('  '),
    )
    return { json: messages, words: lines.length === 0 ? `No messages are ${state}.` : lines.join('\n') }
  },
}
