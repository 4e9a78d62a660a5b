import { MessageError } from './send.ts'

/** Asks once more where the worker was lost before it answered: only for what may be done twice. */
export async function sendAgain<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof MessageError) || error.code !== 'lost') throw error
    return ask()
  }
}
