/** Limits of an app at Etsy. */
export interface SandboxLimits {
  perSecond: number
  /** In any 24 hours. */
  perDay: number
}

const secondMs = 1_000
const dayMs = 86_400_000

interface LimitState {
  headers: Record<string, string>
  /** Null when the call may pass. */
  refusal: { reason: string; retryAfterSeconds: number } | null
}

/** Counts the app's calls over the last second and the last 24 hours, both sliding. Refused calls do not count. */
export function createLimits(options: { limits: SandboxLimits | null; clock: () => Date }) {
  const { clock } = options
  let limits = options.limits
  /** Epoch ms of allowed calls, oldest first. Calls before `dayStart` and `secondStart` have left their windows. */
  const passed: number[] = []
  let dayStart = 0
  let secondStart = 0
  return {
    /** Null removes the limits and their headers. */
    set(changed: SandboxLimits | null): void {
      limits = changed
    },
    /** Returns the number of calls in the last 24 hours. */
    usedToday: () => passed.length - dayStart,
    take(): LimitState {
      if (!limits) return { headers: {}, refusal: null }
      const now = clock().getTime()
      while (dayStart < passed.length && passed[dayStart]! <= now - dayMs) dayStart++
      secondStart = Math.max(secondStart, dayStart)
      while (secondStart < passed.length && passed[secondStart]! <= now - secondMs) secondStart++
      const today = passed.length - dayStart
      const thisSecond = passed.length - secondStart
      const headers = (taken: number) => ({
        'x-limit-per-second': String(limits?.perSecond),
        'x-remaining-this-second': String(Math.max(0, (limits?.perSecond ?? 0) - thisSecond - taken)),
        'x-limit-per-day': String(limits?.perDay),
        'x-remaining-today': String(Math.max(0, (limits?.perDay ?? 0) - today - taken)),
      })
      const refuse = (reason: string, until: number): LimitState => {
        const retryAfterSeconds = Math.max(1, Math.ceil((until - now) / 1000))
        return { headers: headers(0), refusal: { reason, retryAfterSeconds } }
      }
      if (today >= limits.perDay) return refuse('Daily rate limit exceeded.', passed[dayStart]! + dayMs)
      if (thisSecond >= limits.perSecond)
        return refuse('Per-second rate limit exceeded.', passed[secondStart]! + secondMs)
      passed.push(now)
      return { headers: headers(1), refusal: null }
    },
  }
}
export type Limits = ReturnType<typeof createLimits>
