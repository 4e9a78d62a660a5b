import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type Load, type LoadResult, runLoad, runPaced } from './load.ts'

/** Background requests during a measurement, repeated in order. */
interface OthersLoad extends Omit<Load, 'next' | 'connections'> {
  requests: string[]
  /** Sends at a steady pace if set; otherwise as fast as answers arrive over `connections`. */
  perSecond?: number
  connections?: number
}

export interface Others {
  run(load: OthersLoad): Promise<LoadResult>
  close(): void
}

/**
 * Starts background load in a separate process. In one process the measured requests would also wait for the client's
 * other requests.
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
