import type { ClosingTimes } from './http/close-server.ts'
import { waysIn } from './infra/ways-in/ways-in.ts'

/** How long the server pauses, waits and holds, in ms. Tests pass shorter times. */
export interface Times {
  /** The first pause of a webhook endpoint that fails. Each failure doubles it, up to the longest. */
  webhookPauseMs: number
  longestWebhookPauseMs: number
  /**
   * A silent worker loses its import after the lease: early enough that another has it within 15 s, late enough for a
   * worker that is busy for ten seconds. A living one renews it at each beat.
   */
  importLeaseMs: number
  importBeatMs: number
  /** At each beat the reader of a mailbox renews its lease, or sees that it lost it. */
  mailboxBeatMs: number
  /** Opening a mailbox, and reading what is new in it, end within these times. */
  mailboxOpenMs: number
  mailboxReadMs: number
  /** A mailbox is read again after this time without news, with a connection or without. */
  mailboxEveryMs: number
  /** How long an import of a file waits for the one before, whose client may have left. */
  fileTurnMs: number
  /** How long a batch of the extension waits for pictures. */
  batchPicturesMs: number
  /** Timeout of the service that knows breached passwords. */
  breachedLookupMs: number
  /** Probes of a connection that listens: a silent one is replaced within 14 s. */
  probes: { probeEveryMs: number; answerWithinMs: number; againAfterMs: number }
  /** The end of a server among others, within the ten seconds of a deploy. */
  closing: ClosingTimes
  /** How long a request for a listing waits for the worker before it answers that the listing is pending. */
  listingOutcomeMs: number
  /** In this time a seller can take back that an order is shipped, before its marketplace is told. */
  shipmentGraceMs: number
}

export const usualTimes: Times = {
  webhookPauseMs: 5_000,
  longestWebhookPauseMs: 300_000,
  importLeaseMs: 14_000,
  importBeatMs: 1_000,
  mailboxBeatMs: 15_000,
  mailboxOpenMs: 15_000,
  mailboxReadMs: waysIn.imap.giveUpMs,
  mailboxEveryMs: 240_000,
  fileTurnMs: 5_000,
  batchPicturesMs: 4_000,
  breachedLookupMs: 1_500,
  probes: { probeEveryMs: 5_000, answerWithinMs: 4_000, againAfterMs: 5_000 },
  closing: { drainMs: 1_500, cutMs: 7_000 },
  listingOutcomeMs: 12_000,
  shipmentGraceMs: 20_000,
}
