import type { AdminCommand, AdminContext, Answer } from './command.ts'
import * as sql from './queries.ts'

export const jobRetry: AdminCommand = {
  name: 'job retry',
  usage: ['JOB --yes', 'runs a failed job again'],
  takes: 'a job, as `job list` writes it',
  run: (context, id) => change(context, id, 'retry'),
}

export const jobCancel: AdminCommand = {
  name: 'job cancel',
  usage: ['JOB --yes', 'cancels a waiting job, and a running one at its next heartbeat'],
  takes: 'a job, as `job list` writes it',
  run: (context, id) => change(context, id, 'cancel'),
}

async function change({ services, confirm }: AdminContext, id: string, act: 'retry' | 'cancel'): Promise<Answer> {
  if (!/^[0-9a-f-]{36}$/.test(id)) throw new Error(`"${id}" is no job.`)
  const job = await services.db.oneOrNone(sql.findJob({ id }))
  if (!job) throw new Error(`There is no job ${id}.`)
  const changeable = act === 'retry' ? ['failed'] : ['created', 'retry', 'active']
  if (!changeable.includes(job.state)) throw new Error(`The job is ${job.state}, so there is nothing to ${act}.`)
  confirm(act === 'retry' ? `This runs a job of ${job.queue} again.` : `This cancels a job of ${job.queue}.`)
  await services.jobs[act](job.queue, id)
  return {
    json: { id, queue: job.queue, [act === 'retry' ? 'retried' : 'canceled']: true },
    words: act === 'retry' ? `Job ${id} runs again.` : `Job ${id} is canceled.`,
    changed: id,
  }
}
