import { describe, expect, it, vi } from 'vitest'
import { retryWhileStarting } from './wait-for-database.ts'

const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' })

describe('a step of the start', () => {
  it.each([
    Object.assign(new Error('the database system is starting up'), { code: '57P03' }),
    Object.assign(new Error('sorry, too many clients already'), { code: '53300' }),
    Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' }),
    new Error('timeout expired'),
    new Error('Connection terminated due to connection timeout'),
    new Error('timeout exceeded when trying to connect'),
  ])('waits for a database that is late: %s', async (error) => {
    const onWait = vi.fn()
    const step = vi.fn().mockRejectedValueOnce(error).mockRejectedValueOnce(error).mockResolvedValue('done')
    expect(await retryWhileStarting(step, { onWait })).toBe('done')
    expect(onWait.mock.calls).toEqual([[`the database does not answer yet (${error.message})`]])
  })

  it('does not wait for a database that is not there', async () => {
    const step = vi.fn().mockRejectedValue(refused)
    await expect(retryWhileStarting(step)).rejects.toBe(refused)
    expect(step).toHaveBeenCalledTimes(1)
  })

  it('ends its wait when it is asked to stop', async () => {
    const stopping = new AbortController()
    const step = vi.fn().mockRejectedValue(new Error('timeout expired'))
    const end = retryWhileStarting(step, { signal: stopping.signal, onWait: () => stopping.abort() })
    await expect(end).rejects.toThrow('aborted')
  })
})
