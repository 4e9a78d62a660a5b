import type { PageRequest, StopReason } from '#extension/platforms/port.ts'

/** Something for this tab to fetch now. The answer goes back under the same run and step. */
export interface PageTask {
  scrape_id: string
  step: number
  request: PageRequest
}

/** Why the worker cannot go on: the browser keeps no more for us, or a mistake of ours. */
export type StuckReason = 'no_room' | 'internal'

/** What the button says. Numbers are listings; null: not known. */
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
  /** When to look again, in milliseconds; null: not before something happens. */
  look_again_ms: number | null
}
