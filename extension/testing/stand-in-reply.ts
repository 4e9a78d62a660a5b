/** The answer of a part of the stand-in server. */
export interface Reply {
  status: number
  body: unknown
  headers?: Record<string, string>
}

export function ok(body: unknown): Reply {
  return { status: 200, body }
}
