import { Agent, type IncomingMessage, request } from 'node:http'
import type { Sent } from './draft.ts'

export interface Answer {
  status: number
  headers: IncomingMessage['headers']
  text: string
  ms: number
}

/** Sends requests to one server over keep-alive connections. */
export interface Client {
  /** Throws if there is no answer in time. */
  send(sent: Sent): Promise<Answer>
  close(): void
}

/** Time to read an event stream. */
const streamMs = 50
const answerMs = 60_000

export function createClient(url: string): Client {
  const agent = new Agent({ keepAlive: true })
  const { hostname, port } = new URL(url)
  return {
    close: () => agent.destroy(),
    send: ({ method, target, headers, body }) =>
      new Promise((resolve, reject) => {
        const startedMs = performance.now()
        const sending = request({
          ...{ agent, hostname, port, method, path: target, setHost: headers.host === undefined },
          headers: { ...headers, ...(body ? { 'content-length': body.length } : {}) },
          timeout: answerMs,
        })
        sending.on('timeout', () => sending.destroy(new Error(`no answer within ${answerMs / 1000} s`)))
        // The server may answer before the whole body was sent; that answer counts.
        sending.on('error', reject)
        sending.on('response', (answer) => {
          const chunks: Buffer[] = []
          const finish = () =>
            resolve({
              status: answer.statusCode ?? 0,
              headers: answer.headers,
              text: Buffer.concat(chunks).toString(),
              ms: performance.now() - startedMs,
            })
          answer.on('data', (chunk: Buffer) => chunks.push(chunk))
          answer.on('end', finish)
          answer.on('error', reject)
          if (answer.headers['content-type']?.startsWith('text/event-stream')) {
            setTimeout(() => {
              finish()
              sending.destroy()
            }, streamMs)
          }
        })
        sending.end(body)
      }),
  }
}

/** Returns the request as a curl command. */
export function curlOf(url: string, { method, target, headers, body }: Sent): string {
  const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
  const parts = ['curl', '-i', '--path-as-is', '-g', '-X', method, quote(`${url}${target}`)]
  for (const [name, value] of Object.entries(headers))
    parts.push('-H', quote(value === '' ? `${name};` : `${name}: ${value}`))
  if (body) {
    const text = body.toString()
    const isText = Buffer.from(text).equals(body) && !text.includes('\0')
    if (isText) parts.push('--data-binary', quote(text))
    else {
      parts.unshift(`printf %s ${body.toString('base64')} | base64 -d |`)
      parts.push('--data-binary', '@-')
    }
  }
  return parts.join(' ')
}
