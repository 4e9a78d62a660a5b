import fs, { existsSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { until } from '#e2e/harness/until.ts'
import { startDiskGuard } from './disk-guard.ts'

const directory = mkdtempSync(join(tmpdir(), 'hapax-guard-'))
const reserve = join(directory, 'disk-reserve')
const megabyte = 1_048_576

/** The folder is a disk of 64 MB: mounting one takes root, and e2e/full-disk.test.ts does that where it can. */
const { statfs } = fs.promises
beforeAll(() => {
  const blocks = () => {
    const used = readdirSync(directory).reduce((sum, name) => sum + statSync(join(directory, name)).size, 0)
    return Math.max(0, Math.floor((64 * megabyte - used) / 4_096))
  }
  fs.promises.statfs = (async (path: string) => {
    expect(path).toBe(directory)
    return { bavail: blocks(), bsize: 4_096 }
  }) as unknown as typeof statfs
  syncBuiltinESMExports()
})
afterAll(() => {
  fs.promises.statfs = statfs
  syncBuiltinESMExports()
  rmSync(directory, { recursive: true, force: true })
})

/** Writes a file of some megabytes, which takes no room on the real disk. */
function write(name: string, megabytes: number): void {
  writeFileSync(join(directory, name), '')
  truncateSync(join(directory, name), megabytes * megabyte)
}

it('gives its reserve to the database while the disk is nearly full', async () => {
  const logged: string[] = []
  const log = { info: (...line: unknown[]) => logged.push(String(line.at(-1))), warn() {}, error() {} }
  const guard = await startDiskGuard({ directory, log: log as never, reserveBytes: 16 * megabyte, everyMs: 10 })
  expect([guard.isLow(), statSync(reserve).size]).toEqual([false, 16 * megabyte])

  write('other', 30)
  await until(guard.isLow, (low) => low)
  await until(
    () => existsSync(reserve),
    (exists) => !exists,
  )
  expect(() => guard.refuseIfLow()).toThrow(expect.objectContaining({ status: 503, code: 'unavailable' }))

  // Room for the reserve, but not for what must stay free beside it.
  write('other', 26)
  const looks = logged.length
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect([guard.isLow(), logged.length]).toEqual([true, looks])

  rmSync(join(directory, 'other'))
  await until(guard.isLow, (low) => !low)
  expect(statSync(reserve).size).toBe(16 * megabyte)
  expect(() => guard.refuseIfLow()).not.toThrow()
  await guard.stop()
})
