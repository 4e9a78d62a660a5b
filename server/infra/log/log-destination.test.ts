import fs from 'node:fs'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { until } from '#e2e/harness/until.ts'
import { createLog } from './log.ts'
import { openLogFile, openLogOutput } from './log-destination.ts'

let directory: string
let path: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'hapax-log-'))
  path = join(directory, 'logs', 'hapax.log')
})
afterEach(async () => {
  vi.restoreAllMocks()
  await rm(directory, { recursive: true })
})

const linesOf = async (file: string) => (await readFile(file, 'utf8')).trimEnd().split('\n')
const messagesIn = async (file: string) => (await linesOf(file)).map((line) => JSON.parse(line).msg)
const full = () => Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })

describe('the log file', () => {
  it('drops lines while the disk is full and counts them later', async () => {
    const file = openLogFile(path)
    const log = createLog('info', file)
    log.info('before')
    const write = vi.spyOn(fs, 'writeSync').mockImplementation(() => {
      throw full()
    })
    for (let index = 0; index < 3; index++) log.info('lost')
    write.mockRestore()
    log.info('after')
    log.info('later')
    const lines = (await linesOf(path)).map((line) => JSON.parse(line))
    expect(lines.map(({ msg }) => msg)).toEqual([
      'before',
      expect.stringContaining('lines were lost'),
      'after',
      'later',
    ])
    expect(lines[1]).toMatchObject({ level: 'warn', lost: 3, reason: 'ENOSPC' })
    file.close()
  })

  it('keeps lines apart when the disk fills in the middle of one', async () => {
    const file = openLogFile(path)
    const log = createLog('info', file)
    const real = fs.writeSync
    let calls = 0
    const write = vi.spyOn(fs, 'writeSync').mockImplementation(((fd: number, data: Buffer, offset: number) => {
      if (calls++ > 0) throw full()
      return real(fd, data, offset, 10)
    }) as typeof fs.writeSync)
    log.info('cut')
    write.mockRestore()
    log.info('after')
    const [cut, loss, after] = await linesOf(path)
    expect(cut).toHaveLength(10)
    expect(JSON.parse(loss!)).toMatchObject({ lost: 1 })
    expect(JSON.parse(after!)).toMatchObject({ msg: 'after' })
    file.close()
  })

  it('is bounded in size and number, across restarts', async () => {
    for (let start = 0; start < 3; start++) {
      const file = openLogFile(path, { maxBytes: 2_000, files: 3 })
      const log = createLog('info', file)
      for (let index = 0; index < 100; index++) log.info(`start ${start}, line ${index}`)
      file.close()
    }
    expect((await readdir(join(directory, 'logs'))).sort()).toEqual(['hapax.log', 'hapax.log.1', 'hapax.log.2'])
    for (const file of [path, `${path}.1`, `${path}.2`]) expect((await stat(file)).size).toBeLessThanOrEqual(2_000)
    expect((await messagesIn(path)).at(-1)).toBe('start 2, line 99')
  })

  it('is read by its owner only, the older ones too', async () => {
    const file = openLogFile(path, { maxBytes: 200, files: 2 })
    const log = createLog('info', file)
    for (let index = 0; index < 5; index++) log.info(`line ${index}`)
    file.close()
    // Windows has no such modes, and the folder of a user is read by nobody else.
    const owners = process.platform === 'win32' ? 0o666 : 0o600
    for (const one of [path, `${path}.1`]) expect((await stat(one)).mode & 0o777).toBe(owners)
  })

  it('keeps its contents if no next file can be created', async () => {
    const file = openLogFile(path, { maxBytes: 400, files: 2 })
    const log = createLog('info', file)
    log.info('first')
    vi.spyOn(fs, 'openSync').mockImplementation(() => {
      throw full()
    })
    for (let index = 0; index < 10; index++) log.info('x'.repeat(400))
    vi.restoreAllMocks()
    log.info('after')
    expect(await messagesIn(path)).toEqual(['first', expect.stringContaining('lines were lost'), 'after'])
    expect(await readdir(join(directory, 'logs'))).toEqual(['hapax.log'])
    file.close()
  })
})

it('continues after standard output blocked for a while', async () => {
  const fd = fs.openSync(join(directory, 'output'), 'w')
  const write = vi.spyOn(fs, 'write').mockImplementation(((...args: unknown[]) => {
    ;(args.at(-1) as (error: Error) => void)(full())
  }) as typeof fs.write)
  const log = pino({ level: 'info' }, openLogOutput(fd))
  for (let index = 0; index < 30; index++) log.info('x'.repeat(100_000))
  await new Promise(setImmediate)
  write.mockRestore()
  log.info('after')
  log.info('later')
  const lines = await until(
    async () => (await linesOf(join(directory, 'output'))).filter((line) => line !== ''),
    (found) => found.some((line) => line.includes('lines were lost')),
  )
  expect(lines.length).toBeLessThan(15)
  fs.closeSync(fd)
})
