/**
 * Calls `write` at once and then at most every ten seconds, with how many calls came in between: a database that is away
 * fails every request, and hundreds of lines hide the one that says why.
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
