/**
 * The bounds of one way by which bytes of strangers come in. Sizes are bytes, times ms. The code that opens a way takes
 * its limits from here: no library's own limit is trusted.
 */
export interface WayIn {
  /** The bytes that come in, and whose they are. */
  what: string
  /** The largest one. More is refused, or ends the connection. */
  bytes: number
  /** Lines, parts, nesting and pixels of one, where it has any. */
  lines?: number
  parts?: number
  depth?: number
  pixels?: number
  /** Of one conversation, where several come in: bytes before the first and between them, of each line, and of all. */
  quietBytes?: number
  lineBytes?: number
  allBytes?: number
  /** Bytes of all conversations of a process that are held at once. Above it, the largest is ended. */
  heldBytes?: number
  /** One is given up after this time, with the time that it waits. */
  giveUpMs: number
  /** Most processor time of one, measured. More than 20 ms is spent outside of the main thread. */
  cpuMs: number
  thread: 'main' | 'own' | 'libuv'
  /** Handled at once in a process: of all, and of one key of `fair`. The others wait or are refused. */
  atOnce: { all: number; each: number }
  /** The key by which turns are shared: the network (an IPv4 address, or an IPv6 /64) where there is no account. */
  fair: 'account' | 'network' | 'host'
  /** Most that is kept of an account a day; nothing while the disk is nearly full. Absent: nothing is kept of it. */
  kept?: { bytes: number; count: number }
  /** The work when the other side has left. */
  left: 'ends' | 'is finished'
  /** The log line or counter of a refusal. */
  logged: string
}

/** Every way in. One that is not here has no code that could open it (hostile.test.ts looks for such code). */
export const waysIn = {
  smtp: {
    what: 'Mails of mail servers to the addresses of sellers',
    bytes: 16_000_000,
    lines: 20_000,
    parts: 60,
    depth: 12,
    giveUpMs: 120_000,
    cpuMs: 320,
    thread: 'own',
    atOnce: { all: 100, each: 20 },
    fair: 'network',
    kept: { bytes: 50_000_000, count: 2_000 },
    left: 'ends',
    logged: 'sale mails refused',
  },
  imap: {
    what: 'Mails of mailboxes that sellers name, and all else that their servers answer',
    bytes: 5_000_000,
    lines: 1_000,
    parts: 50_000,
    depth: 100,
    quietBytes: 65_536,
    lineBytes: 1_000_000,
    allBytes: 50_000_000,
    heldBytes: 20_000_000,
    giveUpMs: 60_000,
    cpuMs: 200,
    thread: 'main',
    atOnce: { all: 500, each: 1 },
    fair: 'account',
    kept: { bytes: 50_000_000, count: 2_000 },
    left: 'ends',
    logged: 'a mailbox with sale mails could not be read',
  },
  heic: {
    what: 'Photos of iPhones, uploaded or named by a listing',
    bytes: 15_000_000,
    // The tiles of 48 million pixels.
    pixels: 52_000_000,
    giveUpMs: 60_000,
    cpuMs: 9_000,
    thread: 'own',
    atOnce: { all: 1, each: 1 },
    fair: 'account',
    left: 'ends',
    logged: 'invalid_image',
  },
  picture: {
    what: 'Other photos, uploaded or named by a listing',
    bytes: 15_000_000,
    pixels: 60_000_000,
    giveUpMs: 30_000,
    cpuMs: 5_000,
    thread: 'libuv',
    atOnce: { all: 2, each: 1 },
    fair: 'account',
    left: 'is finished',
    logged: 'invalid_image',
  },
} as const satisfies Record<string, WayIn>

/** A way in, by its name in the table. */
export type WayInName = keyof typeof waysIn
