import type { Socket } from 'node:net'
import type { TestAccount } from '#e2e/harness/account.ts'
import { type WayIn, type WayInName, waysIn } from '../ways-in.ts'
import { drip, flood, type HostileHost, startHostileHost, type Talk, talk } from './hostile-peers.ts'

/** The ways in which bytes are hostile. */
export const kinds = [
  'huge',
  'long-lined',
  'many-lined',
  'many-parted',
  'deep',
  'slow',
  'silent',
  'unread',
  'leaving',
] as const
export type Kind = (typeof kinds)[number]

/** The servers and accounts that runs use. */
export interface Stage {
  port: number
  /** The same application with short timeouts. */
  impatientPort: number
  smtpPort: number
  accounts: TestAccount[]
  /** Sale addresses of the accounts. */
  addresses: string[]
}

/** One hostile run: what the other side gets to see, and how that must be. */
export interface Case {
  run: (stage: Stage, account: number) => Promise<string>
  gives: RegExp
}

/** A case for each kind, or a sentence that says why there is none. */
export type Run = Record<Kind, Case | string>

const table: Readonly<Record<WayInName, WayIn>> = waysIn

/** Times of the outgoing requests of slow and silent hosts, in ms. */
const impatientMs = 300

interface Body {
  path: string
  headers?: (account: TestAccount) => Record<string, string>
  type: string
  /** Bodies in place of JSON. */
  bodies?: Partial<Record<'long-lined' | 'many-lined' | 'many-parted' | 'deep', string>>
  /** Answers to bodies of the allowed size, and to larger ones. */
  gives?: RegExp
  tooLarge?: RegExp
}

/** Repeats a piece between a start and an end, up to `bytes`. */
export const fill = (start: string, piece: (index: number) => string, end: string, bytes: number) => {
  const pieces = [start]
  let size = start.length + end.length
  for (let index = 0; ; index++) {
    const next = piece(index)
    size += next.length
    if (size > bytes) return [...pieces, end].join('')
    pieces.push(next)
  }
}

/** Hostile JSON of at most `bytes`, with as many members as its way in allows. */
const hostileJson = ({ bytes, parts = bytes }: WayIn) => {
  const width = Math.max(10, Math.ceil(bytes / parts) - 4)
  return {
    'long-lined': fill('{"x":"', () => 'a'.repeat(100), '"}', bytes),
    'many-lined': fill('{', () => '\n'.repeat(100), '}', bytes),
    'many-parted': fill('{"x":0', (index) => `,"${String(index).padEnd(width, 'x')}":0`, '}', bytes),
    deep: '['.repeat(bytes / 2) + ']'.repeat(bytes / 2),
  }
}

/** Returns the runs of a body of requests. */
export function bodyRun(way: WayInName, body: Body): Run {
  const { bytes } = table[way]
  const { path, headers = () => ({}), type, gives = /^4\d\d/, tooLarge = /^413 payload_too_large/ } = body
  const head = (stage: Stage, account: number, length: number) => {
    const fields = Object.entries({ ...headers(stage.accounts[account]!), 'content-type': type })
    const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')
    return `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${stage.port}\r\nconnection: close\r\n${lines}content-length: ${length}\r\n\r\n`
  }
  const send = (text: () => string, gives: RegExp, more: Partial<Talk> = {}): Case => ({
    gives,
    async run(stage, account) {
      const whole = text()
      const pieces = [head(stage, account, Buffer.byteLength(whole)), whole]
      return read(await talk(stage.port, { pieces, ...more }))
    },
  })
  const late = (pieces: string[]): Case => ({
    // A client that still sends may lose the answer with the connection.
    gives: pieces.length > 0 ? /^(?:408|closed)/ : /^408/,
    run: async (stage, account) =>
      read(await talk(stage.impatientPort, { pieces: [head(stage, account, 1_000), ...pieces], everyMs: 15 })),
  })
  const texts = { ...hostileJson(table[way]), ...body.bodies }
  return {
    huge: send(() => ' '.repeat(bytes + 1), tooLarge),
    'long-lined': send(() => texts['long-lined'], gives),
    'many-lined': send(() => texts['many-lined'], gives),
    'many-parted': send(() => texts['many-parted'], gives),
    deep: send(() => texts.deep, gives),
    slow: late(Array.from({ length: 900 }, () => ' ')),
    silent: late([]),
    unread: send(() => texts['many-parted'], /^left/, { unread: true }),
    leaving: {
      gives: /^left/,
      run: (stage, account) =>
        talk(stage.port, { pieces: [head(stage, account, bytes), ' '.repeat(bytes / 2)], leaves: true }),
    },
  }
}

/** Returns the status, the code and the codes of the fields of an answer. */
export function read(answer: string): string {
  const status = /^HTTP\/1.1 (\d{3})/.exec(answer)?.[1] ?? answer
  const codes = [...answer.matchAll(/"code":"(\w+)"/g)].map(([, code]) => code)
  return [status, ...codes].join(' ').slice(0, 300)
}

/** Returns the runs of an answer of a server that strangers own. `ask` sends a request to the host. */
export function answerRun(
  way: WayInName,
  ask: (host: HostileHost, timeoutMs: number) => Promise<unknown>,
  { type = 'application/json', gives, huge = gives }: { type?: string; gives: RegExp; huge?: RegExp },
): Run {
  // Answers of which nothing is read get some all the same.
  const bytes = Math.max(table[way].bytes, 100_000)
  const act = (
    act: (socket: Socket) => void,
    given: Partial<Case> & { atOnce?: boolean; timeoutMs?: number } = {},
  ): Case => ({
    gives: given.gives ?? gives,
    async run() {
      const host = await startHostileHost(act, given.atOnce)
      return ask(host, given.timeoutMs ?? 60_000)
        .then(
          () => 'answered',
          (error: Error & { platformCode?: string }) =>
            [error.name, error.platformCode, error.message].filter(Boolean).join(' '),
        )
        .finally(() => host.close())
    },
  })
  const head = `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\n`
  const answer = (text: string) =>
    act((socket) => socket.end(`${head}content-length: ${text.length}\r\nconnection: close\r\n\r\n${text}`))
  const isXml = type === 'text/xml'
  const late = { timeoutMs: impatientMs }
  return {
    huge: act(
      (socket) => {
        socket.write(`${head}content-length: ${bytes * 2}\r\n\r\n`)
        flood(socket, ' '.repeat(65_536), bytes * 2)
      },
      { gives: huge },
    ),
    'long-lined': act((socket) => {
      socket.write(`${head}x: `)
      flood(socket, 'a'.repeat(65_536), 50_000_000)
    }),
    'many-lined': act((socket) => {
      socket.write(head)
      flood(socket, 'x: a\r\n'.repeat(1_000), 50_000_000)
    }),
    'many-parted': isXml
      ? answer(fill('<A>', () => '<b/>', '</A>', bytes))
      : answer(hostileJson({ ...table[way], bytes })['many-parted']),
    deep: isXml
      ? answer('<a>'.repeat(bytes / 8) + '</a>'.repeat(bytes / 8))
      : answer(hostileJson({ ...table[way], bytes }).deep),
    slow: act(
      (socket) => {
        socket.write(`${head}content-length: 100000\r\n\r\n`)
        drip(socket, ' ')
      },
      table[way].bytes === 0 ? { gives: huge } : late,
    ),
    silent: act(() => undefined, { ...late, atOnce: true }),
    unread: 'A request is shorter than what the kernel takes.',
    leaving: act(
      (socket) => {
        socket.write(`${head}content-length: 100000\r\n\r\n{`)
        setImmediate(() => socket.destroy())
      },
      table[way].bytes === 0 ? { gives: huge } : {},
    ),
  }
}
