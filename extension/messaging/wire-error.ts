/** An error as the worker sends it to pages. */
export interface WireError {
  /**
   * The server's error code, or ours: offline, permission, no_session, other_account, bad_address, refused_message, no_room, internal.
   */
  code: string
  message: string
  retry_after_ms: number | null
  /** The server's request id, for its log. */
  request_id: string | null
  /** Request fields that the server names, such as `options.who_made`. */
  fields?: string[]
}
