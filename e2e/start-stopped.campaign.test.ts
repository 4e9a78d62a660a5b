import { globSync, readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { somePoints } from '#e2e/harness/campaigns/campaign.ts'
import { freePorts } from '#e2e/harness/free-ports.ts'
import { memoryFolder } from '#tools/memory-folder.ts'
import { begin, endOf, killRunning } from './start-process.ts'
import { until } from './timeouts.ts'

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(memoryFolder(), 'hapax-start-'))
  // The user postgres, as whom PostgreSQL runs for root, can enter it.
  await chmod(dataDir, 0o755)
})
afterEach(async () => {
  killRunning()
  await rm(dataDir, { recursive: true, force: true })
})

/** Returns the ids of processes that were started with this data folder. Only Linux tells. */
function processesOf(folder: string): string[] {
  return globSync('/proc/[0-9]*/environ').filter((file) => {
    try {
      return readFileSync(file, 'utf8').includes(`DATA_DIR=${folder}\0`)
    } catch {
      return false
    }
  })
}

it.each([
  ['npm start', ['.tools/start.ts'], {}],
  ['npm run serve', ['server/main.ts'], { PUBLIC_URL: 'http://127.0.0.1' }],
])('%s leaves nothing when it is stopped at any moment', async (_, args, environment) => {
  const temporary = join(dataDir, 'tmp')
  const port = await freePorts(7)
  const isUp = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  // Steps of a start, as they show in the data folder, a time before them in ms, and its end, when builds are under way.
  const steps = ['lock', 'postgres.new-', 'postmaster.pid', 'disk-reserve']
  const moments = [...steps, 400, 'an answer']
  for (const [index, moment] of somePoints(moments).entries()) {
    const folder = join(dataDir, `at-${moment}`)
    await mkdir(temporary, { recursive: true })
    const started = begin(args, { ...environment, DATA_DIR: folder, PORT: String(port), TMPDIR: temporary })
    if (typeof moment === 'number') await pause(moment)
    else if (moment === 'an answer') await until(() => `an answer; it said:\n${started.output()}`, isUp)
    else {
      const names = () => readdir(folder, { recursive: true }).catch(() => [] as string[])
      // Or a later one: a step may be over between two looks.
      const seen = steps.slice(steps.indexOf(moment))
      const isThere = (name: string) => seen.some((step) => name.includes(step))
      await until(`${moment} in the data folder`, async () => (await names()).some(isThere))
    }
    started.child.kill((['SIGINT', 'SIGTERM'] as const)[index % 2])
    await endOf(started)
    expect(processesOf(folder), `${moment}: ${started.output()}`).toEqual([])
    expect(await readdir(temporary), `${moment}`).toEqual([])
    expect((await readdir(folder).catch(() => [])).filter((name) => name.includes('.new-'))).toEqual([])
    await rm(folder, { recursive: true, force: true })
  }
})
