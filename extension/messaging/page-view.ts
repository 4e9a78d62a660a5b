import type { PageRequest, StopReason } from '#extension/platforms/port.ts'

/** A fetch for this tab. Its answer names the same scrape and step. */
export interface PageTask {
  scrape_id: string
  step: number
  request: PageRequest
}

/** Why the worker cannot continue: a full disk, or a bug of ours. */
export type StuckReason = 'no_room' | 'internal'

/** The button's state. Numbers count listings; null is unknown. */
export type PageShow =
  | { kind: 'nothing' }
  | { kind: 'sign_in' }
  | { kind: 'offer'; total: number | null }
  | { kind: 'reading'; read: number; total: number | null }
  | { kind: 'sending'; read: number }
  | { kind: 'stopped'; reason: StopReason; read: number; total: number | null }
  | { kind: 'refused' }
  | { kind: 'done'; read: number; failed: number; problem: string | null }
  | { kind: 'checking' }
  | { kind: 'sold'; sold: number }
  | { kind: 'off' }
  | { kind: 'stuck'; reason: StuckReason }

export interface PageView {
  show: PageShow
  task: PageTask | null
  /** When to ask again in ms, or null to wait for an event. */
  look_again_ms: number | null
}
