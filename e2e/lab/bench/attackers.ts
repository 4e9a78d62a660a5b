import { setPriority } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { runs } from '#server/infra/ways-in/testing/all-runs.ts'
import { kinds, type Stage } from '#server/infra/ways-in/testing/runs.ts'
import type { WayInName } from '#server/infra/ways-in/ways-in.ts'

/**
 * Repeats the hostile runs of a way in, by all accounts of the stage at once, each kind in turn: `attackers.ts <Attack>`.
 * Begins at a message, tells of each run, and ends with its process. Its priority is lower: attackers have machines of their own.
 */
export interface Attack {
  way: WayInName
  stage: Stage
}

if (process.argv[2]) {
  const { way, stage } = JSON.parse(process.argv[2]) as Attack
  setPriority(19)
  const cases = kinds.flatMap((kind) => (typeof runs[way][kind] === 'string' ? [] : [runs[way][kind]]))
  // An account may ask 600 times a minute, and a network without one 100 times: the benchmark's limits by network are off.
  const pauseMs = way === 'anonymous' || way === 'form' ? 600 : 100
  const repeat = async (account: number) => {
    // Accounts begin with different kinds.
    for (let turn = account; ; turn++) {
      await cases[turn % cases.length]!.run(stage, account).catch(() => undefined)
      process.send?.('ran')
      await delay(pauseMs)
    }
  }
  process.once('message', () => {
    for (const account of stage.accounts.keys()) void repeat(account)
  })
  process.on('disconnect', () => process.exit(0))
  process.send?.('ready')
}
