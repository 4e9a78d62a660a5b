export interface WireError {
  /** Code of the server's problem, or one of ours: offline, permission, no_session, bad_address, refused_message, no_room, internal. */
  code: string
  message: string
  retry_after_ms: number | null
  /** The server's own number of the request, for finding it in its log. */
  request_id: string | null
  /** Fields of the request that the server names (`options.who_made`); left out where it names none. */
  fields?: string[]
}
