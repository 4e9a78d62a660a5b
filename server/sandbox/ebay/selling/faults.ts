import { json, type SandboxResponse } from '#server/sandbox/kit/http.ts'

/** Returns an error of the Metadata API. */
export function fault(status: number, errorId: number, message: string): SandboxResponse {
  return json({ errors: [{ errorId, domain: 'API_METADATA', category: 'REQUEST', message }] }, status)
}

export const noContent: SandboxResponse = { status: 204, type: 'application/json', body: '' }
