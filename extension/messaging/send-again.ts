import { MessageError } from './message-error.ts'

/** Repeats a request once if the worker was lost. Only for idempotent requests. */
export async function sendAgain<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof MessageError) || error.code !== 'lost') throw error
    return ask()
  }
}
