import type { Services } from '#server/services.ts'
import { deactivateAccount } from '../deactivate.ts'

/**
 * Closes an account between the authorization of its next request and its work. Pass `prepare` to the test's server.
 */
export function closesAfterAuthorization() {
  let closing: number | null = null
  return {
    /** Closes this account at its next authorized request. */
    next(user_id: number) {
      closing = user_id
    },
    /** Returns whether that request is still to come. */
    isWaiting: () => closing !== null,
    async prepare(services: Services): Promise<void> {
      const real = services.db
      services.db = new Proxy(real, {
        get(db, name) {
          const value: unknown = Reflect.get(db, name)
          if (name !== 'any' || typeof value !== 'function') return value
          return async (query: { name?: string }, ...values: unknown[]) => {
            const found = await value.call(db, query, ...values)
            if (closing !== null && query?.name?.startsWith('accounts/sessions/authenticate')) {
              const user_id = closing
              closing = null
              await deactivateAccount({ ...services, db: real }, user_id)
            }
            return found
          }
        },
      })
    },
  }
}
