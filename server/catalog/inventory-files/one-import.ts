import { problem } from '#server/infra/errors.ts'
import type { Times } from '#server/times.ts'

/**
 * Returns a function that begins the only import of an account and returns the function that ends it. Throws 409
 * `conflict` while another one of the account runs.
 */
export function createOneImport(times: Times): (user_id: number) => Promise<() => void> {
  const running = new Map<number, Promise<void>>()
  return async (user_id) => {
    const until = AbortSignal.timeout(times.fileTurnMs)
    const isOver = new Promise<'over'>((resolve) => until.addEventListener('abort', () => resolve('over')))
    for (let current = running.get(user_id); current; current = running.get(user_id)) {
      if ((await Promise.race([current, isOver])) === 'over') {
        throw problem('conflict', 'Another file of this account is being imported. Send this one when that is done.')
      }
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    running.set(user_id, promise)
    return () => {
      running.delete(user_id)
      resolve()
    }
  }
}
