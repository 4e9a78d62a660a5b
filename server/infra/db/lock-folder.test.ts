import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { lockFolder } from './lock-folder.ts'

const directory = mkdtempSync(join(tmpdir(), 'hapax-lock-'))
const children = new Set<ChildProcess>()
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(directory, { recursive: true, force: true })
})

const taking = `import { lockFolder } from '${new URL('./lock-folder.ts', import.meta.url).href}'
lockFolder(process.argv[1])
process.stdout.write('locked')
setInterval(() => {}, 60_000)`
const node = [process.execPath, '--input-type=module', '-e', taking, directory]
/** Runs a process in a container of its own, as far as process ids go; a plain process where that is forbidden. */
const inContainer = ['unshare', '--pid', '--ipc', '--fork', '--mount-proc', '--kill-child']
const canUnshare = spawnSync(inContainer[0]!, [...inContainer.slice(1), 'true']).status === 0

async function lockElsewhere(): Promise<{ output: string; end: () => Promise<void> }> {
  const [command = '', ...args] = [...(canUnshare ? inContainer : []), ...node]
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  children.add(child)
  const ended = once(child, 'exit')
  let output = ''
  const said = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk
        if (/locked|already running/.test(output)) resolve()
      })
  })
  await Promise.race([said, ended])
  return {
    output,
    async end() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

it('refuses a second process, even in another container', async () => {
  const first = await lockElsewhere()
  expect(first.output).toBe('locked')
  const second = await lockElsewhere()
  expect(second.output).toContain('Hapax is already running on')
  await second.end()
  expect(() => lockFolder(directory)).toThrow('Hapax is already running on')

  await first.end()
  const unlock = await untilLocked()
  expect((await lockElsewhere()).output).toContain('already running')
  unlock()
  lockFolder(directory)()
})

/** The process in the container ends shortly after its creator. */
async function untilLocked(): Promise<() => void> {
  for (;;) {
    try {
      return lockFolder(directory)
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
}
