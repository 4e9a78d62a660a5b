import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const run = (...options: string[]) =>
  spawnSync(process.execPath, [fileURLToPath(new URL('./etsy-budget.ts', import.meta.url)), ...options], {
    encoding: 'utf8',
  })

describe('etsy-budget', () => {
  it('explains itself', () => {
    expect(run('--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('--shops N'), stderr: '' })
  })

  it('refuses what it does not know in a sentence', () => {
    for (const options of [
      ['--shop', '5'],
      ['--shops', 'many'],
      ['--calls', '0'],
    ]) {
      const { status, stderr, stdout } = run(...options)
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
      expect(stderr).toContain('npm run etsy-budget')
      expect(stderr).not.toMatch(/^\s+at /m)
    }
  })

  it('says how many calls to ask for', () => {
    expect(run('--shops', '5000').stdout).toContain('would need 20000 of 5000: ask Etsy for 40000 calls a day')
    expect(run('--shops', '5000', '--calls', '40000').stdout).toContain('needs 20000 of 20000: enough')
  })
})
