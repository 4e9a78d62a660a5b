import { connect as connectPlain, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { ImapTransport } from 'imapflow'
import { waysIn } from '#server/infra/ways-in/ways-in.ts'
import { MailboxError } from './mailbox-error.ts'

const { bytes: mostAnswerBytes, lines: mostLines, textBytes: mostTextBytes, heldBytes: mostHeldBytes } = waysIn.imap

/** The meters of open connections of this process, and the bytes of their present answers. */
const open = new Set<Meter>()
let heldInAll = 0

const [lineFeed, closing] = [0x0a, 0x7d]
/** The end of a line that announces a literal. */
const longestMarker = 32

/**
 * Opens the connection of an IMAP client and counts what its server sends: bytes, and lines with their bytes outside of
 * literals, since each costs time. The connection ends at the first limit, and `failure` says so.
 */
export class Meter {
  failure: MailboxError | null = null
  #socket: Socket | null = null
  #timer: NodeJS.Timeout | undefined
  #left = 0
  #held = 0
  #lines = 0
  #text = 0
  #literalLeft = 0
  #tail: Buffer = Buffer.alloc(0)

  readonly transport: ImapTransport = {
    connect: ({ secure, tls, ...target }, onConnect) =>
      this.#watch(secure ? connectTls({ ...tls, ...target }) : connectPlain(target), onConnect, secure),
    upgrade: (socket, { tls, ...target }, onSecure) => {
      socket.removeAllListeners('data')
      return this.#watch(connectTls({ ...tls, ...target, socket: socket as Socket }), onSecure, true)
    },
  }

  constructor() {
    open.add(this)
  }

  /** Begins a part of the conversation: at most `bytes` within `ms`. */
  begin(bytes: number, ms: number): void {
    this.ask()
    this.#left = bytes
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.cut('too_slow'), ms)
  }

  /** Begins the answer to one command. */
  ask(): void {
    heldInAll -= this.#held
    this.#held = 0
    this.#lines = 0
    this.#text = 0
  }

  /** Ends the connection. The first reason stays. */
  cut(reason: MailboxError['reason']): void {
    this.failure ??= new MailboxError(reason)
    this.#socket?.destroy(this.failure)
  }

  /** Forgets the connection, which is closed. */
  end(): void {
    this.ask()
    clearTimeout(this.#timer)
    open.delete(this)
  }

  #watch(socket: Socket, onConnect: () => void, secure: boolean): Socket {
    this.#socket = socket
    // The client takes its listeners away before the socket has ended.
    socket.on('error', () => {})
    socket.once(secure ? 'secureConnect' : 'connect', () => {
      onConnect()
      socket.on('data', (chunk: Buffer) => this.#count(chunk))
    })
    return socket
  }

  #count(chunk: Buffer): void {
    this.#held += chunk.length
    this.#left -= chunk.length
    heldInAll += chunk.length
    this.#countLines(chunk)
    const isText = this.#lines > mostLines || this.#text > mostTextBytes
    if (isText || this.#held > mostAnswerBytes || this.#left < 0) this.#cutFor(this)
    else if (heldInAll > mostHeldBytes)
      this.#cutFor([...open].reduce((one, other) => (other.#held > one.#held ? other : one)))
  }

  #cutFor(meter: Meter): void {
    meter.cut('too_much')
    meter.ask()
  }

  #countLines(chunk: Buffer): void {
    let from = 0
    while (from < chunk.length) {
      if (this.#literalLeft > 0) {
        const skipped = Math.min(this.#literalLeft, chunk.length - from)
        this.#literalLeft -= skipped
        from += skipped
        continue
      }
      const end = chunk.indexOf(lineFeed, from)
      this.#text += (end === -1 ? chunk.length : end + 1) - from
      const part = chunk.subarray(
        Math.max(from, (end === -1 ? chunk.length : end + 1) - longestMarker),
        end === -1 ? chunk.length : end + 1,
      )
      if (end === -1) {
        this.#tail = Buffer.concat([this.#tail, part]).subarray(-longestMarker)
        return
      }
      this.#lines++
      if (part.at(-2) === closing || part.at(-3) === closing || part.length < 3) {
        const marker = /\{(\d+)\}\r?\n$/.exec(Buffer.concat([this.#tail, part]).toString('latin1'))
        if (marker) this.#literalLeft = Number(marker[1])
      }
      this.#tail = Buffer.alloc(0)
      from = end + 1
    }
  }
}
