/**
 * All that a seller is told of a mailbox that cannot be read. The words of a server never are: it may be a stranger's, and
 * closed, silent and speaking ports have one answer, so that nobody looks for open ports through Hapax.
 */
const sentences = {
  not_found: 'The host was not found.',
  not_allowed: 'The host may not be connected to.',
  unreachable: 'No mail server answers at this host and port with this encryption.',
  refused: 'The mail server refused the name or the password. Gmail, iCloud and Yahoo need an app password.',
  no_folder: 'The mail server does not open this folder.',
  lost: 'The mail server closed the connection or gave no answer that could be read.',
  too_slow: 'The mail server took too long.',
  too_much: 'The mail server sent too much.',
} as const

/** A mailbox that cannot be read. The message is for its owner, the cause for the log. */
export class MailboxError extends Error {
  override name = 'MailboxError'
  readonly reason: keyof typeof sentences
  constructor(reason: keyof typeof sentences, options?: ErrorOptions) {
    super(sentences[reason], options)
    this.reason = reason
  }
}
