import { type SpawnOptions, spawn } from 'node:child_process'
import { root } from './root.ts'

/** How long a tool may take to end when it is asked, in ms. */
const graceMs = 5_000

/**
 * Runs a program of development in the project's folder and resolves with its exit code, once it has ended. When `signal`
 * aborts, the program and its children are asked to end, and ended by force after five seconds.
 */
export function runTool(
  command: string,
  args: string[],
  { signal, onOutput, ...options }: SpawnOptions & { onOutput?: (chunk: string) => void } = {},
): Promise<number> {
  return new Promise((resolve, reject) => {
    const isWindows = process.platform === 'win32'
    // A group of its own, so that its children end with it.
    const child = spawn(command, args, { cwd: root, ...options, detached: !isWindows })
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (chunk: string) => onOutput?.(chunk))
    }
    const send = (how: NodeJS.Signals) => {
      if (isWindows) spawn('taskkill', ['/pid', String(child.pid), '/f', '/t'])
      else if (child.pid) {
        try {
          process.kill(-child.pid, how)
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
        }
      }
    }
    let late: NodeJS.Timeout | undefined
    const end = () => {
      send('SIGTERM')
      late = setTimeout(() => send('SIGKILL'), graceMs)
    }
    const endAtOnce = () => send('SIGKILL')
    signal?.addEventListener('abort', end, { once: true })
    process.once('exit', endAtOnce)
    if (signal?.aborted) end()
    const forget = () => {
      clearTimeout(late)
      signal?.removeEventListener('abort', end)
      process.off('exit', endAtOnce)
    }
    child.on('error', (error) => {
      forget()
      reject(error)
    })
    child.on('close', (code) => {
      forget()
      resolve(code ?? 1)
    })
  })
}
