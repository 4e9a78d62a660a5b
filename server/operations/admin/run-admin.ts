import { parseArgs } from 'node:util'
import type { Services } from '#server/services.ts'
import { actionList } from './action-list.ts'
import type { AdminCommand } from './command.ts'
import { jobCancel, jobRetry } from './job-change.ts'
import { jobList } from './job-list.ts'
import { messageList } from './message-list.ts'
import { platformList, platformPause, platformResume } from './platform-pause.ts'
import * as sql from './queries.ts'
import { subscriptionGrant } from './subscription-grant.ts'
import { userClose } from './user-close.ts'
import { userCreate } from './user-create.ts'
import { userErase } from './user-erase.ts'
import { userExport } from './user-export.ts'
import { userFind } from './user-find.ts'
import { userInvite } from './user-invite.ts'
import { userOwn } from './user-own.ts'
import { userRemoveApp } from './user-remove-app.ts'
import { userReopen } from './user-reopen.ts'
import { userShow } from './user-show.ts'

const commands: AdminCommand[] = [
  ...[userCreate, userInvite, userOwn],
  ...[userFind, userShow, userExport, userClose, userReopen, userErase, userRemoveApp],
  subscriptionGrant,
  ...[jobList, jobRetry, jobCancel],
  ...[platformList, platformPause, platformResume],
  messageList,
  actionList,
]

const help = [
  'npm run admin -- COMMAND',
  ...commands.map(({ name, usage: [args, does] }) => `  ${`${name} ${args}`.padEnd(52)}  ${does}`),
  'Changes need --yes. --json answers for programs.',
].join('\n')

/**
 * Runs one command of `npm run admin`. Changes require `--yes` and are recorded with `operator`, the name of the person
 * at the machine. Throws the reason in words.
 */
export async function runAdmin(
  services: Services,
  argv: string[],
  { write, operator }: { write: (text: string) => unknown; operator: string },
): Promise<void> {
  const { values, positionals } = parse(argv)
  const name = positionals.slice(0, 2).join(' ')
  const command = commands.find((each) => each.name === name)
  const isComplete = command && positionals.length === (command.takes ? 3 : 2)
  if (!isComplete) throw new Error(command?.takes ? `Name ${command.takes}.\n\n${help}` : help)
  const { yes, json, ...options } = values
  const confirm = (warning: string) => {
    if (!yes) throw new Error(`${warning} Add --yes to do it.`)
  }
  const answer = await command.run({ services, options, write, confirm }, positionals[2] ?? '')
  await services.audit.flush()
  if (!answer) return
  if (answer.changed !== undefined)
    await services.db.none(sql.recordAction({ operator, command: name, subject: answer.changed }))
  write(`${json ? JSON.stringify(answer.json) : answer.words}\n`)
}

function parse(argv: string[]) {
  try {
    return parseArgs({
      args: argv,
      allowPositionals: true,
      options: {
        email: { type: 'string' },
        phone: { type: 'string' },
        id: { type: 'string' },
        queue: { type: 'string' },
        state: { type: 'string' },
        until: { type: 'string' },
        yes: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
      },
    })
  } catch (error) {
    throw new Error(`${(error as Error).message}\n\n${help}`)
  }
}
