/**
 * Calls `write` at once, then at most every ten seconds with the number of calls between. A database outage fails every
 * request, and hundreds of lines would hide the cause.
 */
export function createSeldom(everyMs = 10_000, nowMs = () => performance.now()) {
  let quietUntilMs = Number.NEGATIVE_INFINITY
  let skipped = 0
  return (write: (skipped: number) => void): void => {
    if (nowMs() < quietUntilMs) {
      skipped++
      return
    }
    quietUntilMs = nowMs() + everyMs
    write(skipped)
    skipped = 0
  }
}
