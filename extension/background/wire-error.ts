import type { WireError } from '#extension/messaging/wire-error.ts'
import { HapaxError } from '#shared/client/error.ts'
import { AccessWithdrawn, ServerUnreachable } from './session/api.ts'

/** An error whose code the interface can translate. */
export class KnownError extends Error {
  override name = 'KnownError'
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** Converts an error for pages: a code and a sentence, never a stack. */
export function wireError(error: unknown): WireError {
  if (error instanceof HapaxError) {
    const { code, message, retryAfterMs, requestId, errors } = error
    const fields = errors.length > 0 ? { fields: errors.map(({ field }) => field) } : {}
    return { code, message, retry_after_ms: retryAfterMs, request_id: requestId, ...fields }
  }
  const none = { retry_after_ms: null, request_id: null }
  if (error instanceof KnownError) return { code: error.code, message: error.message, ...none }
  if (error instanceof AccessWithdrawn) return { code: 'permission', message: error.message, ...none }
  if (error instanceof ServerUnreachable) return { code: 'offline', message: error.message, ...none }
  if (isOutOfRoom(error)) return { code: 'no_room', message: 'The browser has no room for more.', ...none }
  return { code: 'internal', message: error instanceof Error ? error.message : String(error), ...none }
}

/** Detects a full disk as reported by the browser or, nested, by Dexie. */
function isOutOfRoom(error: unknown): boolean {
  if (!(error instanceof Error || error instanceof DOMException)) return false
  return error.name === 'QuotaExceededError' || isOutOfRoom(Reflect.get(error, 'inner'))
}
