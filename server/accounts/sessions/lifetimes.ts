import type { Config } from '#server/config.ts'

/** Lifetime of a session in seconds: since its last use, and since its start. */
export interface SessionLifetimes {
  idle: number
  absolute: number
}

/** Returns the lifetimes that the operator set. */
export const sessionLifetimes = (config: Pick<Config, 'SESSION_IDLE_DAYS' | 'SESSION_MAX_DAYS'>): SessionLifetimes => ({
  idle: config.SESSION_IDLE_DAYS * 86_400,
  absolute: config.SESSION_MAX_DAYS * 86_400,
})

/** The default lifetimes. */
export const usualLifetimes = sessionLifetimes({ SESSION_IDLE_DAYS: 30, SESSION_MAX_DAYS: 90 })
