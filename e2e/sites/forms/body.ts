import type { IncomingMessage } from 'node:http'

/** Reads the JSON body of a request. */
export async function readJson<Body>(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return JSON.parse(Buffer.concat(chunks).toString() || '{}') as Body
}
