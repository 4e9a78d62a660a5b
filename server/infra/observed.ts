import { channel } from 'node:diagnostics_channel'
import type { Span } from './span.ts'

/**
 * Carries events of this process to its log and its metrics, so that the code that does the work knows neither. Publishing
 * costs nothing without subscribers.
 */
interface Observed {
  request: { method: string; operation: string; status: number; seconds: number }
  job: { queue: string; outcome: 'completed' | 'failed'; seconds: number }
  /** A committed event of an account. */
  event: { user_id: number; type: string; item_uid: string | null; data: Record<string, unknown> }
  /** A confirmed take-down, with the time since the sale or request was seen. */
  takenDown: { platform: string; seconds: number }
  /** A marketplace's photo that is copied, or could not be: for now, or for good. */
  imageCopy: { outcome: 'stored' | 'retried' | 'failed' }
  /** A call of a platform's API. `status`: of the response, or `error` without one. */
  platformCall: { platform: string; status: string }
  /** A request, job or call that has ended. */
  span: Span
}

const channelOf = (name: keyof Observed) => channel(`hapax.${name}`)

export function publish<Name extends keyof Observed>(name: Name, message: Observed[Name]): void {
  const target = channelOf(name)
  if (target.hasSubscribers) target.publish(message)
}

/** Returns whether anybody listens in this process. */
export const isObserved = (name: keyof Observed): boolean => channelOf(name).hasSubscribers

/** Calls `listener` for each later message. Returns a function that ends this. */
export function observe<Name extends keyof Observed>(
  name: Name,
  listener: (message: Observed[Name]) => void,
): () => void {
  const source = channelOf(name)
  const heard = (message: unknown) => listener(message as Observed[Name])
  source.subscribe(heard)
  return () => void source.unsubscribe(heard)
}
