/**
 * How long a test waits for one thing, on the slowest machine: well within the time that a whole test has, so that what
 * hangs says what it waited for.
 */
export const patienceMs = 90_000

/** What a promise resolves with; rejects with what was waited for where that does not come. */
export async function within<T>(what: string | (() => string), promise: Promise<T>): Promise<T> {
  // Made here, so that it tells who waited.
  const late = new Error()
  const { promise: tooLate, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    late.message = `Waited ${patienceMs / 1_000} s in vain for ${typeof what === 'string' ? what : what()}.`
    reject(late)
  }, patienceMs)
  return Promise.race([promise, tooLate]).finally(() => clearTimeout(timer))
}

/** Asks again and again until it is so; rejects with what was waited for. */
export async function until(what: string | (() => string), isSo: () => boolean | Promise<boolean>): Promise<void> {
  let given = false
  const asking = async () => {
    while (!given && !(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20))
  }
  await within(what, asking()).finally(() => (given = true))
}
