import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type Load, type LoadResult, runLoad, runPaced } from './load.ts'

/** Background requests during a measurement, sent in turn and repeated from the first. */
export interface OthersLoad extends Omit<Load, 'next' | 'connections'> {
  requests: string[]
  /** At a steady pace; else over so many connections, as quickly as answers come. */
  perSecond?: number
  connections?: number
}

export interface Others {
  run(load: OthersLoad): Promise<LoadResult>
  close(): void
}

/**
 * Others than those whose answers are measured, in a process of their own: in one process the measured would wait for the
 * sending and reading of the others, too, which is not the server's doing.
 */
export function startOthers(): Others {
  const child = fork(fileURLToPath(import.meta.url), ['others'])
  return {
    run: (load) =>
      new Promise((resolve, reject) => {
        const ended = (code: number | null) => reject(new Error(`the others' process ended (${code})`))
        child.once('exit', ended)
        child.once('message', (result) => {
          child.off('exit', ended)
          resolve(result as LoadResult)
        })
        child.send(load)
      }),
    close: () => void child.kill(),
  }
}

if (process.argv[2] === 'others') {
  process.on('disconnect', () => process.exit(0))
  process.on('message', async (message) => {
    const { requests, perSecond, connections = 1, ...load } = message as OthersLoad
    let turn = 0
    const next = () => requests[turn++ % requests.length]!
    const result = perSecond ? runPaced({ ...load, perSecond, next }) : runLoad({ ...load, connections, next })
    process.send?.(await result)
  })
}
