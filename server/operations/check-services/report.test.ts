import { expect, it } from 'vitest'
import { createReport } from './report.ts'

const fail = (message: string) => async () => {
  throw new Error(message)
}

it('prints no secret and one line per step', async () => {
  const lines: string[] = []
  const report = createReport((line) => lines.push(line), ['s3cret', 'c2VjcmV0'])
  await report.step('eBay', fail('no\n  token s3cret\tor Basic c2VjcmV0'))
  await report.step(
    'Etsy',
    async () => 's3cret',
    (value) => `it said ${value}`,
  )
  expect(lines).toEqual(['failed   eBay: no token [secret] or Basic [secret]', 'ok       Etsy: it said [secret]'])
})

it.each<[string, (report: ReturnType<typeof createReport>) => Promise<unknown>, number]>([
  ['0 when every step that ran went well', (report) => report.step('one', async () => 1), 0],
  ['1 when a step failed', (report) => report.step('one', fail('no')), 1],
  ['2 when no step ran', async (report) => report.skip('one', 'set ONE'), 2],
])('exits with %s', async (_name, run, exitCode) => {
  const report = createReport(() => {}, [])
  await run(report)
  expect(report.exitCode()).toBe(exitCode)
})
