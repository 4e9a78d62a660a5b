// A server of an attacker. It follows RFC 3501 until the chosen command, whose answer never ends. The forms of answers are
// those of RFC 3501 and 9051 (literal, untagged response, SEARCH, LIST, FETCH, ESEARCH), with numbers that no mailbox has.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** The command whose answer is the attack; `GREETING` is the first line. */
export type AttackedCommand =
  | 'GREETING'
  | 'CAPABILITY'
  | 'LOGIN'
  | 'LIST'
  | 'EXAMINE'
  | 'UID SEARCH'
  | 'UID FETCH'
  | 'IDLE'

interface HostileImap {
  port: number
  /** Bytes that the system has taken from this server for its clients. */
  sent(): number
  /** Commands that arrived, without their tags and arguments. */
  commands: string[]
  connections(): number
  close(): Promise<void>
}

const chunkBytes = 65_536
const mostBytes = 900_000_000
const many = (text: string) => text.repeat(Math.ceil(chunkBytes / text.length))

/** Beginnings and endless continuations of answers. Without a continuation, the server falls silent. */
export const attacks = {
  'a literal of 900 MB': ['* 1 FETCH (UID 1 BODY[]<0> {900000000}\r\n', many('a')],
  'an envelope of 900 MB': ['* 1 FETCH (UID 1 ENVELOPE ("x" {900000000}\r\n', many('=?utf-8?Q?a?= ')],
  'a literal of 1e30 bytes': [`* 1 FETCH (UID 1 BODY[]<0> {1${'0'.repeat(30)}}\r\n`, many('a')],
  'a literal that stops at 4 MB': [`* 1 FETCH (UID 1 BODY[]<0> {4900000}\r\n${'a'.repeat(4_000_000)}`, ''],
  'many small literals': ['* 1 FETCH (UID 1', many(' BODY[1] {1}\r\na')],
  'a line without end': ['* OK ', many('x')],
  'untagged lines without end': ['', many('* OK Still here\r\n')],
  'changes without end': ['', many('* 7 EXISTS\r\n* 6 EXISTS\r\n')],
  'ten million uids': ['* SEARCH', many(' 4000000000')],
  'many SEARCH answers': ['', many('* SEARCH 1 2 3 4 5 6 7 8 9\r\n')],
  'wide ESEARCH answers': ['* 4294967295 EXISTS\r\n* ESEARCH UID ALL 1:4294967295\r\n', ''],
  'nested lists': ['* LIST ', many('(')],
  'many folders': ['', many('* LIST () "/" a\r\n')],
  'many flags': ['* FLAGS (', many('a ')],
  'many mails': [
    '',
    many('* 1 FETCH (UID 1 ENVELOPE ("x" "poshmark" NIL NIL NIL NIL NIL NIL NIL NIL) RFC822.SIZE 1)\r\n'),
  ],
  'many addresses': ['* 1 FETCH (UID 1 ENVELOPE ("x" "poshmark" (', many('(NIL NIL "a" "b")')],
  'long subjects': [
    `* 1 FETCH (UID 1 ENVELOPE (NIL "${'=?iso-2022-jp?B?GyRC?= '.repeat(3_500)}" NIL NIL NIL NIL NIL NIL NIL NIL))\r\n`.repeat(
      7,
    ),
    '',
  ],
  'tags that nobody sent': ['', many('zz OK done\r\n')],
} as const satisfies Record<string, readonly [string, string]>

/** Starts it on 127.0.0.1. `pauseMs`: one byte after each pause instead of as many as the client takes. */
export async function startHostileImap(
  command: AttackedCommand,
  attack: keyof typeof attacks,
  { pauseMs = 0 } = {},
): Promise<HostileImap> {
  const [beginning, continuation] = attacks[attack]
  const sockets = new Set<Socket>()
  const commands: string[] = []
  let sent = 0

  const pour = async (socket: Socket) => {
    const send = async (text: string) => {
      const taken = socket.write(text, 'latin1')
      sent += text.length
      if (!taken && !socket.destroyed) {
        await new Promise<void>((resolve) => {
          const go = () => {
            socket.off('drain', go).off('close', go)
            resolve()
          }
          socket.on('drain', go).on('close', go)
        })
      }
    }
    if (pauseMs > 0) {
      for (const letter of beginning + continuation) {
        if (socket.destroyed) return
        await send(letter)
        await wait(pauseMs)
      }
      return
    }
    await send(beginning)
    if (continuation === '') return
    while (!socket.destroyed && sent < mostBytes) await send(continuation)
    socket.destroy()
  }

  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
    const say = (line: string) => socket.write(`${line}\r\n`)
    let pouring = false
    const begin = () => {
      pouring = true
      pour(socket).catch(() => socket.destroy())
    }
    const answer = (line: string) => {
      const [, tag = '*', verb = ''] = /^(\S+) ((?:UID )?\S+)/i.exec(line) ?? []
      const name = verb.toUpperCase()
      commands.push(name)
      if (name === command) {
        if (name === 'IDLE') say('+ idling')
        return begin()
      }
      if (name === 'CAPABILITY') say('* CAPABILITY IMAP4rev1 IDLE')
      if (name === 'LIST' || name === 'LSUB') say(`* ${name} () "/" INBOX`)
      if (name === 'EXAMINE') say('* 3 EXISTS\r\n* OK [UIDVALIDITY 7] valid\r\n* OK [UIDNEXT 9] next')
      if (name === 'UID SEARCH') say('* SEARCH 1 2 3')
      if (name === 'UID FETCH' && line.includes('ENVELOPE')) {
        const from = '(("Poshmark" NIL "orders" "poshmark.com"))'
        say(`* 1 FETCH (UID 1 RFC822.SIZE 900000000 ENVELOPE (NIL "Sold" ${from} NIL NIL NIL NIL NIL NIL NIL))`)
      }
      if (name === 'IDLE') return say('+ idling')
      say(`${tag} OK done`)
    }
    let buffered = ''
    socket.on('data', (chunk) => {
      if (pouring) return
      buffered += chunk.toString('latin1')
      for (let end = buffered.indexOf('\r\n'); end !== -1; end = buffered.indexOf('\r\n')) {
        const line = buffered.slice(0, end)
        buffered = buffered.slice(end + 2)
        if (!pouring) answer(line)
      }
    })
    if (command === 'GREETING') begin()
    else say('* OK ready')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    sent: () => sent,
    commands,
    connections: () => sockets.size,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
