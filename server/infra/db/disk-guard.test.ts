import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { until } from '#server/testing/until.ts'
import { startDiskGuard } from './disk-guard.ts'

const directory = mkdtempSync(join(tmpdir(), 'hapax-guard-'))
const isMounted =
  process.platform === 'linux' && spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', directory]).status === 0
afterAll(() => {
  if (isMounted) spawnSync('umount', ['-l', directory])
  rmSync(directory, { recursive: true, force: true })
})

const reserve = join(directory, 'disk-reserve')
const megabyte = 1_048_576

/** Writes a file of some megabytes to the small disk. */
function write(name: string, megabytes: number): void {
  const fd = openSync(join(directory, name), 'w')
  for (let index = 0; index < megabytes; index++) writeSync(fd, Buffer.alloc(megabyte))
  closeSync(fd)
}

it.skipIf(!isMounted)('gives its reserve to the database while the disk is nearly full', async () => {
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
