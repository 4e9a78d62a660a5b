/** A mail. `html` has the same contents as `text`. */
export interface Mail {
  channel: 'mail'
  to: string
  subject: string
  text: string
  html: string
}

/** A text message. */
export interface TextMessage {
  channel: 'sms'
  /** E.164 */
  to: string
  text: string
}

export type Message = Mail | TextMessage

/** A message that was not sent. `retryable` false: a retry is pointless. */
export class DeliveryError extends Error {
  override name = 'DeliveryError'
  readonly retryable: boolean
  constructor(message: string, retryable: boolean, cause?: unknown) {
    super(message, { cause })
    this.retryable = retryable
  }
}

/** Sends one message; `id` marks it, so that receivers recognize duplicates. Throws DeliveryError. */
export type Transport<M extends Message> = (message: M, id: string) => Promise<void>
