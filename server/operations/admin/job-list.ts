import type { AdminCommand } from './command.ts'
import * as sql from './queries.ts'

const states = ['created', 'retry', 'active', 'completed', 'cancelled', 'failed']
const most = 200

export const jobList: AdminCommand = {
  name: 'job list',
  usage: [
    '[--state failed] [--queue Q] [--id N]',
    `lists jobs of a state (${states.join(', ')}), of one account with --id`,
  ],
  async run({ services, options }) {
    const state = options.state ?? 'failed'
    if (!states.includes(state)) throw new Error(`--state is one of ${states.join(', ')}.`)
    const jobs = await services.db.any(
      sql.listJobs({ state, queue: options.queue ?? null, account: options.id ?? null, limit: most }),
    )
    const lines = jobs.map(({ id, queue, account, created_on, error }) =>
      [id, queue, account === null ? '' : `account ${account}`, created_on, error ?? ''].filter(Boolean).join('  '),
    )
    return { json: jobs, words: lines.length === 0 ? `No jobs are ${state}.` : lines.join('\n') }
  },
}
