/**
 * How long a test waits for one step on the slowest machine: shorter than a test's timeout, so that a hang names its
 * step.
 */
export const stepTimeoutMs = 180_000

/** Returns the promise's value; rejects with `what` after the timeout. */
export async function within<T>(what: string | (() => string), promise: Promise<T>): Promise<T> {
  // Created here, so that its stack names the caller.
  const late = new Error()
  const { promise: tooLate, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    late.message = `Waited ${stepTimeoutMs / 1_000} s in vain for ${typeof what === 'string' ? what : what()}.`
    reject(late)
  }, stepTimeoutMs)
  return Promise.race([promise, tooLate]).finally(() => clearTimeout(timer))
}

/** Polls until a condition holds; rejects with `what` after the timeout. */
export async function until(what: string | (() => string), isSo: () => boolean | Promise<boolean>): Promise<void> {
  let given = false
  const asking = async () => {
    while (!given && !(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20))
  }
  await within(what, asking()).finally(() => (given = true))
}
