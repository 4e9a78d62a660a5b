import type { Config } from '#server/config.ts'

/** How long a session lasts, in seconds: since its last use, and since it was opened. */
export interface SessionLifetimes {
  idle: number
  absolute: number
}

/** The lifetimes that the operator set. */
export const sessionLifetimes = (config: Pick<Config, 'SESSION_IDLE_DAYS' | 'SESSION_MAX_DAYS'>): SessionLifetimes => ({
  idle: config.SESSION_IDLE_DAYS * 86_400,
  absolute: config.SESSION_MAX_DAYS * 86_400,
})

/** The defaults of the settings. */
export const usualLifetimes = sessionLifetimes({ SESSION_IDLE_DAYS: 30, SESSION_MAX_DAYS: 90 })
