import { type ChildProcess, spawn } from 'node:child_process'
import { within } from './timeouts.ts'

export interface Started {
  child: ChildProcess
  output: () => string
  exited: Promise<number | null>
}

const running = new Set<ChildProcess>()

/** Runs a script of `npm start` or `npm run serve` as a process of its own, and collects its output. */
export function begin(args: string[], environment: Record<string, string>): Started {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, SANDBOX: 'on', ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  running.add(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (output += chunk))
  const exited = new Promise<number | null>((resolve) => child.on('exit', (code) => resolve(code)))
  return { child, output: () => output, exited: exited.finally(() => running.delete(child)) }
}

/** Returns the exit code once it ends. */
export const endOf = ({ exited, output }: Started) => within(() => `the end of it; it said:\n${output()}`, exited)

/** Ends what a failed test left running. */
export function killRunning(): void {
  for (const child of running) child.kill('SIGKILL')
}
