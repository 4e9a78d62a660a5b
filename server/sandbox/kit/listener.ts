import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Faults, Strike } from './faults.ts'
import type { SandboxRequest, SandboxResponse } from './http.ts'

interface LocalServer {
  /** Starts on 127.0.0.1 and returns the base address. Port 0 takes a free one. */
  listen(port: number): Promise<string>
  close(): Promise<void>
}

/** Creates an HTTP server for this machine alone. */
export function createLocalServer(listener: RequestListener): LocalServer {
  const server = createServer(listener)
  return {
    async listen(port) {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, '127.0.0.1', resolve)
      })
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    },
    async close() {
      if (!server.listening) return
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

/** Reads a whole request. Throws when the body is larger than `maxBodyBytes`. */
export async function readRequest(
  message: IncomingMessage,
  maxBodyBytes = Number.POSITIVE_INFINITY,
): Promise<SandboxRequest> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of message) {
    size += chunk.length
    if (size > maxBodyBytes) throw new Error(`the request is larger than ${maxBodyBytes} bytes`)
    chunks.push(chunk)
  }
  const url = new URL(message.url ?? '/', 'http://127.0.0.1')
  const bytes = Buffer.concat(chunks)
  return {
    method: message.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    header: (name) => String(message.headers[name] ?? ''),
    body: bytes.toString('utf8'),
    bytes,
  }
}

export function send(response: ServerResponse, { status, type, headers, body }: SandboxResponse): void {
  response.writeHead(status, { 'content-type': type, ...headers }).end(body)
}

interface ListenerOptions<Kind extends string> {
  handle(request: SandboxRequest): SandboxResponse | Promise<SandboxResponse>
  faults: Faults<Kind>
  maxBodyBytes: number
  /** Returns the name that a request is counted under; null for pages and pictures. */
  callOf(request: SandboxRequest): string | null
  /** Returns the item that a request is about, for faults that strike one item. */
  itemOf?(request: SandboxRequest): string | undefined
  /** Returns the response that a fault sends without handling the request; null for faults of delivery. */
  replace(fault: Strike<Kind>, call: string, request: SandboxRequest): SandboxResponse | null
  /** Changes the handler's response to a call, for faults of its content. */
  alter?(response: SandboxResponse, call: string, request: SandboxRequest, fault: Strike<Kind> | null): SandboxResponse
  /** Sees every request as it arrived. */
  onRequest?(message: IncomingMessage, request: SandboxRequest): void
}

/** Creates the listener of a stand-in: reads a request, counts the call, applies a fault, and responds. */
export function createListener<Kind extends string>(options: ListenerOptions<Kind>): RequestListener {
  const { handle, faults } = options

  async function respond(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await readRequest(message, options.maxBodyBytes)
    options.onRequest?.(message, request)
    const call = options.callOf(request)
    if (call === null) return send(response, await handle(request))

    const fault = faults.strike(call, options.itemOf?.(request))
    const kind: string | undefined = fault?.kind
    if (fault && kind === 'slow') await waitOrClose(response, fault.delayMs)
    const replaced = fault && options.replace(fault, call, request)
    if (replaced) return send(response, replaced)
    if (kind === 'fail_before') return disconnect(message)

    const handled = await handle(request)
    const answer = options.alter?.(handled, call, request, fault) ?? handled
    if (kind === 'fail_after') return disconnect(message)
    if (kind === 'cut') return sendHalf(message, response, answer)
    if (fault && kind === 'drip') return sendByByte(response, answer, fault.delayMs)
    send(response, answer)
  }

  return (message, response) => {
    respond(message, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy()
      else response.writeHead(500, { 'content-type': 'text/plain' }).end(`The sandbox failed: ${String(error)}`)
    })
  }
}

function disconnect(message: IncomingMessage): void {
  message.socket.destroy()
}

/** Breaks the connection halfway through a response whose length was announced. */
function sendHalf(message: IncomingMessage, response: ServerResponse, answer: SandboxResponse): void {
  const whole = Buffer.from(answer.body)
  response.writeHead(answer.status, { 'content-type': answer.type, 'content-length': whole.length })
  response.write(whole.subarray(0, Math.floor(whole.length / 2)), () => disconnect(message))
}

async function sendByByte(response: ServerResponse, answer: SandboxResponse, delayMs: number): Promise<void> {
  response.writeHead(answer.status, { 'content-type': answer.type })
  for (const byte of Buffer.from(answer.body)) {
    if (response.destroyed) return
    response.write(Buffer.from([byte]))
    await waitOrClose(response, delayMs)
  }
  response.end()
}

/** Waits, or until the client disconnects. */
function waitOrClose(response: ServerResponse, delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      response.off('close', done)
      resolve()
    }
    const timer = setTimeout(done, delayMs)
    response.once('close', done)
  })
}
