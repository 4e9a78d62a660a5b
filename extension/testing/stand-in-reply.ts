/** What a part of the stand-in server answers. */
export interface Reply {
  status: number
  body: unknown
  headers?: Record<string, string>
}

export function ok(body: unknown): Reply {
  return { status: 200, body }
}
