import { AsyncLocalStorage } from 'node:async_hooks'

type Collect = (sentence: string) => void

const storage = new AsyncLocalStorage<Collect>()

/** Runs `work`, and gives `collect` what platforms warn of in all of its calls. */
export function withWarnings<T>(collect: Collect, work: () => Promise<T>): Promise<T> {
  return storage.run(collect, work)
}

/** Passes on what a platform did beside, or left out, although it took a call. */
export function warn(sentence: string): void {
  storage.getStore()?.(sentence)
}
