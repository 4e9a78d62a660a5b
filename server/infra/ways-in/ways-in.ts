import { maxImportRows } from '#shared/contract/catalog/inventory-files.ts'
import { bodySizes } from '#shared/contract/declaring/body-sizes.ts'

/**
 * The bounds of one way by which bytes of strangers come in. Sizes are bytes, times ms. The code that opens a way takes
 * its limits from here: no library's own limit is trusted. docs/ways-in.md shows them.
 */
export interface WayIn {
  /** The bytes that come in, and from whom. */
  what: string
  /** The largest one. More is refused, or ends the connection. */
  bytes: number
  /** Lines, the bytes of the longest, parts, nesting and pixels of one, where it has any. */
  lines?: number
  lineBytes?: number
  /** Bytes of all lines of one, where parts without lines are in between. */
  textBytes?: number
  parts?: number
  depth?: number
  pixels?: number
  /** Of one conversation, where several come in: bytes before the first and between them, and of all. */
  quietBytes?: number
  allBytes?: number
  /** Bytes of all conversations of a process that are held at once. Above it, the largest is ended. */
  heldBytes?: number
  /** One is given up after this time, with the time that it waits. */
  giveUpMs: number
  /** Most processor time of one, measured. */
  cpuMs: number
  thread: 'main' | 'own' | 'libuv'
  /**
   * Handled at once in a process: of all, and of one key of `fair`. Of JSON, bodies of more than 64 kB that are read; other
   * bodies of requests share `REQUEST_BODIES_MB` instead.
   */
  atOnce?: { all: number; each: number }
  /** The key by which turns are shared: the network (an IPv4 address, or an IPv6 /64) where there is no account. */
  fair: 'account' | 'network' | 'host'
  /** Most that is kept of an account a day; nothing while the disk is nearly full. Absent: nothing is kept of it. */
  kept?: { bytes: number; count: number }
  /** The work when the other side has left. */
  left: 'ends' | 'is finished'
  /** The log line or counter of a refusal. */
  logged: string
}

/** Bodies of requests. The log line of a request has its status and code. */
const body = { giveUpMs: 60_000, cpuMs: 50, thread: 'main', left: 'is finished', logged: 'request' } as const
const ofAccount = { ...body, fair: 'account' } as const
const ofAnybody = { ...body, fair: 'network' } as const
/** JSON, whose large bodies take turns over all ways. */
const ofJson = { ...ofAccount, thread: 'own', depth: 64, atOnce: { all: 1, each: 1 } } as const
/** Answers of servers that a seller or a marketplace named. */
const answer = { cpuMs: 100, thread: 'main', left: 'ends' } as const

/** Sale mails of an account a day, over both of their ways. */
const kept = { bytes: 50_000_000, count: 2_000 } as const

/** Every way in. No code opens a way that the table does not name (opened-in.test.ts looks for such code). */
export const waysIn = {
  head: {
    what: 'Request lines and headers of all clients',
    bytes: 16_384,
    giveUpMs: 15_000,
    cpuMs: 20,
    thread: 'main',
    fair: 'network',
    left: 'ends',
    logged: 'nothing',
  },
  json: { ...ofJson, what: 'JSON of an account or key', bytes: 1_000_000, parts: 15_000, cpuMs: 100 },
  anonymous: { ...ofAnybody, what: 'JSON without a credential', bytes: 50_000, parts: 2_000, depth: 64 },
  empty: { ...ofAccount, what: 'Bodies where none is expected', bytes: 1_000, cpuMs: 20 },
  batch: {
    ...ofJson,
    what: 'Listings that the extension has read',
    bytes: bodySizes.batch,
    parts: 50_000,
    cpuMs: 1_000,
  },
  bulk: {
    ...ofJson,
    what: 'Items to be listed in bulk',
    bytes: bodySizes.bulk,
    parts: 100_000,
    cpuMs: 1_000,
  },
  csv: {
    ...ofAccount,
    what: 'Inventory files',
    bytes: bodySizes.csv,
    lines: maxImportRows,
    lineBytes: 1_000_000,
    parts: 1_000,
    cpuMs: 6_000,
    thread: 'own',
    atOnce: { all: 2, each: 1 },
  },
  upload: {
    ...ofAccount,
    what: 'Photos before they are decoded, alone or in a form',
    bytes: bodySizes.upload,
    parts: 10,
    cpuMs: 500,
  },
  form: { ...ofAnybody, what: "Forms of the server's own pages", bytes: 10_000 },
  mcp: {
    ...ofJson,
    what: 'Messages of the Model Context Protocol',
    bytes: 1_000_000,
    parts: 50_000,
    cpuMs: 300,
  },
  notice: { ...ofAnybody, what: 'Notices of eBay and Etsy, XML or JSON', bytes: 100_000 },
  stripeNotice: { ...ofAnybody, what: 'Events of Stripe', bytes: 500_000 },
  appleNotice: { ...ofAnybody, what: 'Notifications of Apple', bytes: 50_000 },
  textReport: { ...ofAnybody, what: 'Reports of Twilio about texts', bytes: 20_000 },
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
    kept,
    left: 'ends',
    logged: 'sale mails refused',
  },
  imap: {
    what: 'Mails of mailboxes that sellers name, and all else that their servers answer',
    bytes: 5_000_000,
    lines: 1_000,
    lineBytes: 100_000,
    // A hundred mails have some 100 kB of senders, recipients and subjects.
    textBytes: 500_000,
    parts: 20_000,
    depth: 100,
    quietBytes: 65_536,
    allBytes: 50_000_000,
    heldBytes: 20_000_000,
    giveUpMs: 60_000,
    cpuMs: 50,
    thread: 'main',
    atOnce: { all: 500, each: 1 },
    fair: 'account',
    kept,
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
  ebay: {
    ...answer,
    what: 'Answers of eBay, XML or JSON',
    // A description may have 500,000 characters, each of up to six when it is escaped. Larger pages are read in parts.
    bytes: 3_200_000,
    parts: 100_000,
    giveUpMs: 30_000,
    cpuMs: 500,
    thread: 'own',
    atOnce: { all: 100, each: 100 },
    fair: 'account',
    logged: 'malformed',
  },
  etsy: {
    ...answer,
    what: 'Answers of Etsy',
    // A page has 100 results at most (`limit` of Etsy's Open API v3), each with a description, whose length Etsy does not
    // document, 20 pictures in four sizes and up to 400 products. Larger pages are read in parts.
    bytes: 12_000_000,
    parts: 500_000,
    giveUpMs: 30_000,
    cpuMs: 200,
    fair: 'account',
    logged: 'malformed',
  },
  share: {
    what: 'Photos and words that other apps share with the web app, which its service worker keeps in the browser',
    bytes: 15_000_000,
    parts: 30,
    allBytes: 150_000_000,
    // A browser ends what a worker does after five minutes.
    giveUpMs: 300_000,
    cpuMs: 50,
    thread: 'own',
    atOnce: { all: 10, each: 10 },
    fair: 'account',
    left: 'is finished',
    logged: 'nothing',
  },
  pushKey: {
    ...answer,
    what: 'Keys that sign notices of eBay',
    bytes: 100_000,
    giveUpMs: 5_000,
    fair: 'network',
    logged: 'a push key could not be fetched again',
  },
  service: {
    ...answer,
    what: 'Answers of Apple, Stripe, Twilio and the list of breached passwords',
    bytes: 1_000_000,
    giveUpMs: 15_000,
    fair: 'host',
    logged: 'could not be',
  },
  fetchedPicture: {
    ...answer,
    what: 'Pictures at addresses that listings name',
    bytes: 10_000_000,
    giveUpMs: 10_000,
    fair: 'account',
    logged: 'larger than',
  },
  webhookAnswer: {
    ...answer,
    what: 'Answers of webhook receivers: status and headers, never a body',
    bytes: 0,
    giveUpMs: 10_000,
    atOnce: { all: 128, each: 8 },
    fair: 'account',
    logged: 'The answer was too large.',
  },
  pushAnswer: {
    ...answer,
    what: 'Answers of push services: status and headers, never a body',
    bytes: 0,
    giveUpMs: 10_000,
    atOnce: { all: 32, each: 4 },
    fair: 'account',
    logged: 'notifications are dropped',
  },
} as const satisfies Record<string, WayIn>

/** A way in, by its name in the table. */
export type WayInName = keyof typeof waysIn
