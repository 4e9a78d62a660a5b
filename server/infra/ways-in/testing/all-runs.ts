import nodemailer from 'nodemailer'
import sharp, { type PngOptions } from 'sharp'
import { safeRequest } from '#server/http/outbound/safe-request.ts'
import { readTwilioAccount } from '#server/infra/mail-sms/twilio.ts'
import { createEbayAdapter } from '#server/integrations/ebay/index.ts'
import { createPushKeys } from '#server/integrations/ebay/push/push-keys.ts'
import { createEtsyAdapter } from '#server/integrations/etsy/index.ts'
import { createFetchPicture } from '#server/integrations/fetch-picture.ts'
import { post } from '#server/webhooks/post-safely.ts'
import { newId } from '#shared/identity.ts'
import { type WayInName, waysIn } from '../ways-in.ts'
import { flood, type HostileHost, startHostileHost, talk } from './hostile-peers.ts'
import { answerRun, bodyRun, type Case, fill, kinds, type Run, read, type Stage } from './runs.ts'

const key = ({ key }: Stage['accounts'][number]) => key
const json = 'application/json'
const access = { accessToken: 'token', shop: { external_id: 'shop', external_name: 'shop', url: 'http://127.0.0.1/' } }
const unavailable = /^PlatformError /
const tooLarge = /^PlatformError too_large/

const ebayOf = ({ url }: HostileHost, timeoutMs: number) =>
  createEbayAdapter({
    config: {
      ...{ EBAY_CLIENT_ID: 'client', EBAY_CLIENT_SECRET: 'secret', EBAY_RU_NAME: 'name' },
      ...{ EBAY_AUTH_URL: url, EBAY_API_URL: url, EBAY_APIZ_URL: url },
    },
    fetch,
    timeoutMs,
  })
const etsyOf = ({ url }: HostileHost, timeoutMs: number) =>
  createEtsyAdapter({
    config: { ETSY_CLIENT_ID: 'client', ETSY_CLIENT_SECRET: 'secret', ETSY_AUTH_URL: url, ETSY_API_URL: url },
    fetch,
    timeoutMs,
  })

/** A fetch with shorter timeouts than its caller's. */
const fetchWithin =
  (timeoutMs: number): typeof fetch =>
  (input, init) =>
    fetch(input, { ...init, signal: AbortSignal.any([init?.signal ?? [], AbortSignal.timeout(timeoutMs)].flat()) })

const boundary = 'part'
const form = (text: string) => `--${boundary}\r\n${text}\r\n--${boundary}--\r\n`
const upload = 'multipart/form-data; boundary=part'
const head = (stage: Stage, lines = '') => `GET /healthz HTTP/1.1\r\nhost: 127.0.0.1:${stage.port}\r\n${lines}`
const ofHead = (gives: RegExp, pieces: (stage: Stage) => string[], impatient = false): Case => ({
  gives,
  run: async (stage) =>
    read(
      await talk(impatient ? stage.impatientPort : stage.port, { pieces: pieces(stage), everyMs: impatient ? 15 : 0 }),
    ),
})

/** Sends a mail, and returns "stored" or the code of its refusal. */
const mail = (raw: () => string, gives: RegExp): Case => ({
  gives,
  async run({ smtpPort, addresses }, account) {
    const transport = nodemailer.createTransport({ port: smtpPort, host: '127.0.0.1', ignoreTLS: true })
    try {
      await transport.sendMail({ envelope: { from: 'a@example.com', to: [addresses[account]!] }, raw: raw() })
      return 'stored'
    } catch (error) {
      return String((error as { responseCode?: number }).responseCode ?? error)
    } finally {
      transport.close()
    }
  },
})
const letter = (body: string) => `From: a@example.com\r\nTo: b@example.com\r\nSubject: Sold\r\n\r\n${body}`
const smtp = (gives: RegExp, pieces: string[], leaves: boolean): Case => ({
  gives,
  run: ({ smtpPort }) => talk(smtpPort, { pieces, leaves }),
})

/** Names a mailbox at a host that says a greeting and floods. It must be left before it has sent many times the bound. */
const mailbox = (greeting: string, text: string, times = 4): Case => ({
  gives: /^400 mailbox_refused$/,
  async run(stage, account) {
    let isTaken = false
    const host = await startHostileHost((socket) => {
      socket.write(greeting)
      flood(socket, text, waysIn.imap.bytes * times, () => {
        isTaken = times > 1
        socket.end()
      })
    }, true)
    const body = { host: '127.0.0.1', port: host.port, tls: 'none', user: newId('job'), password: 'b' }
    const response = await fetch(`http://127.0.0.1:${stage.port}/api/v1/sale-mail/mailbox/`, {
      method: 'PUT',
      headers: { ...stage.accounts[account]!.bearer, 'content-type': json },
      body: JSON.stringify(body),
    }).finally(() => host.close())
    const { code } = (await response.json()) as { code?: string }
    return `${response.status} ${code}${isTaken ? ', and all was taken' : ''}`
  },
})

/** Uploads a picture. */
const picture = (bytes: () => Promise<Buffer> | Buffer, gives: RegExp): Case => ({
  gives,
  async run(stage, account) {
    const response = await fetch(`http://127.0.0.1:${stage.port}/api/v1/images/`, {
      method: 'POST',
      headers: { ...stage.accounts[account]!.key, 'content-type': 'application/octet-stream' },
      body: new Uint8Array(await bytes()),
    })
    return `${response.status} ${((await response.json()) as { code?: string }).code}`
  },
})
/** A picture of one color, which is made once: an attacker that makes it anew slows down what it shares a machine with. */
const plain = (side: number, options: PngOptions = {}) => {
  let made: Promise<Buffer> | undefined
  const create = { width: side, height: side, channels: 3, background: 'red' } as const
  return () => {
    made ??= sharp({ create }).png(options).toBuffer()
    return made
  }
}
const box = (type: string, content: Buffer) => {
  const size = Buffer.alloc(4)
  size.writeUInt32BE(content.length + 8)
  return Buffer.concat([size, Buffer.from(type), content])
}
/** The start of a HEIC file (ISO/IEC 23008-12) with other boxes behind it. */
const heic = (...boxes: Buffer[]) => Buffer.concat([box('ftyp', Buffer.from('heic\0\0\0\0mif1heic')), ...boxes])
const nested = (depth: number): Buffer => {
  let inner = Buffer.alloc(0)
  for (let level = 0; level < depth; level++) inner = box('meta', inner)
  return inner
}
const notOfPictures = {
  'long-lined': 'A picture has no lines.',
  'many-lined': 'A picture has no lines.',
  slow: 'A picture comes as an upload does.',
  silent: 'A picture comes as an upload does.',
  unread: 'The answer is short.',
  leaving: 'A picture comes as an upload does.',
} as const
const imageRefused = /^400 (?:invalid_image|unsupported_image)/

const row = (cell: string) => `title,price\n${cell}\n`

/** The hostile runs of every way in. A row without runs does not compile. */
export const runs: Record<WayInName, Run> = {
  head: {
    huge: ofHead(/^431/, (stage) => [head(stage, `x: ${'a'.repeat(waysIn.head.bytes)}\r\n\r\n`)]),
    'long-lined': ofHead(/^431/, ({ port }) => [
      `GET /${'a'.repeat(waysIn.head.bytes)} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n\r\n`,
    ]),
    'many-lined': ofHead(/^431/, (stage) => [head(stage, `${'a:\r\n'.repeat(10_000)}\r\n`)]),
    'many-parted': ofHead(/^200/, (stage) => [`${head(stage)}\r\n`.repeat(500)]),
    deep: 'A head is flat.',
    slow: ofHead(/^408/, (stage) => [head(stage), ...Array.from({ length: 300 }, () => 'x: a\r\n')], true),
    silent: ofHead(/^(?:408|closed)/, () => [], true),
    unread: {
      gives: /^left/,
      run: (stage) => talk(stage.port, { pieces: [`${head(stage)}\r\n`.repeat(500)], unread: true }),
    },
    leaving: { gives: /^left/, run: (stage) => talk(stage.port, { pieces: [head(stage)], leaves: true }) },
  },
  json: bodyRun('json', { path: '/api/v1/inventory/', headers: key, type: json }),
  anonymous: bodyRun('anonymous', { path: '/api/auth/login/', type: json }),
  empty: bodyRun('empty', {
    path: `/api/v1/marketplace/import/jobs/${newId('job')}/stop/`,
    headers: key,
    type: json,
    tooLarge: /^400/,
  }),
  batch: bodyRun('batch', { path: `/api/v1/extension/imports/${newId('job')}/batches/`, headers: key, type: json }),
  bulk: bodyRun('bulk', { path: '/api/v1/inventory/bulk/list/', headers: key, type: json }),
  csv: bodyRun('csv', {
    path: '/api/v1/inventory/import/?dry_run=true',
    headers: key,
    type: 'text/csv',
    bodies: {
      'long-lined': row('x'.repeat(waysIn.csv.lineBytes + 1)),
      'many-lined': row('x,1\n'.repeat(waysIn.csv.lines + 1)),
      'many-parted': row(','.repeat(waysIn.csv.bytes - 20)),
      deep: row('"""'.repeat(1_000_000)),
    },
    gives: /^400 .*(?:row_too_long|cell_too_long|too_many_rows|too_many_cells|quote_not_closed)/,
  }),
  upload: bodyRun('upload', {
    path: '/api/v1/images/',
    headers: key,
    type: upload,
    bodies: {
      'long-lined': form(`x: ${'a'.repeat(waysIn.upload.bytes - 100)}\r\n\r\n`),
      'many-lined': form(fill('', () => 'x: a\r\n'.repeat(1_000), '\r\n', waysIn.upload.bytes - 100)),
      'many-parted': fill(
        '',
        () => `--${boundary}\r\n\r\n\r\n`.repeat(100),
        `--${boundary}--\r\n`,
        waysIn.upload.bytes,
      ),
      deep: form('content-type: multipart/mixed; boundary=part\r\n\r\n'.repeat(10_000)),
    },
  }),
  form: bodyRun('form', {
    path: '/account/reset-password',
    type: 'application/x-www-form-urlencoded',
    bodies: {
      'many-parted': fill('a=1', (index) => `&a${index}=1`, '', waysIn.form.bytes),
      deep: `a${'[a]'.repeat(2_000)}=1`,
    },
    gives: /^[24]\d\d/,
    tooLarge: /^4\d\d/,
  }),
  mcp: bodyRun('mcp', {
    path: '/mcp',
    headers: (account) => ({ ...account.key, accept: 'application/json, text/event-stream' }),
    type: json,
    bodies: { 'many-parted': fill('[{}', () => ',{}', ']', waysIn.mcp.bytes) },
  }),
  notice: bodyRun('notice', { path: '/webhooks/etsy/', type: json }),
  stripeNotice: bodyRun('stripeNotice', { path: '/webhooks/stripe/', type: json }),
  appleNotice: bodyRun('appleNotice', { path: '/webhooks/apple/', type: json }),
  textReport: bodyRun('textReport', { path: '/webhooks/twilio/x/', type: 'application/x-www-form-urlencoded' }),
  smtp: {
    huge: mail(() => letter(fill('', () => `${'a'.repeat(70)}\r\n`, '', waysIn.smtp.bytes + 1_000_000)), /^552/),
    'long-lined': mail(() => letter('a'.repeat(3_000_000)), /^(?:5\d\d|stored)/),
    'many-lined': mail(() => letter('a\r\n'.repeat(waysIn.smtp.lines + 1)), /^(?:5\d\d|stored)/),
    'many-parted': mail(
      () => letter(`--x\r\n${'Content-Type: text/plain\r\n\r\n\r\n--x\r\n'.repeat(waysIn.smtp.parts * 100)}`),
      /^(?:5\d\d|stored)/,
    ),
    deep: mail(
      () => letter('Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n'.repeat(1_000)),
      /^(?:5\d\d|stored)/,
    ),
    slow: 'As silent: the time counts from the connection, or the last byte.',
    silent: 'The time is a minute and more, and no shorter one can be handed in.',
    unread: smtp(/^left/, ['EHLO a\r\n', ...Array.from({ length: 200 }, () => 'NOOP\r\n')], true),
    leaving: {
      gives: /^left/,
      run: ({ smtpPort, addresses }, account) => {
        const commands = [
          'EHLO a',
          'MAIL FROM:<a@example.com>',
          `RCPT TO:<${addresses[account]}>`,
          'DATA',
          'Subject: a',
        ]
        return talk(smtpPort, {
          pieces: [commands.map((line) => `${line}\r\n`).join(''), ''],
          everyMs: 500,
          leaves: true,
        })
      },
    },
  },
  imap: {
    huge: mailbox('* OK ready\r\n* 1 FETCH (BODY[] {900000000}\r\n', 'a'.repeat(65_536)),
    'long-lined': mailbox('', 'a'.repeat(65_536)),
    'many-lined': mailbox('* OK ready\r\n', '* OK still here\r\n'.repeat(4_000)),
    'many-parted': 'A mail is read as one of SMTP.',
    deep: mailbox('* OK ready\r\n* LIST ', '('.repeat(65_536), 1),
    slow: 'As silent: one time for the whole sign-in.',
    silent: 'The time is 15 seconds, and no shorter one can be handed in.',
    unread: 'Commands are shorter than what the kernel takes.',
    leaving: mailbox('* OK ready\r\n', '', 0),
  },
  heic: {
    huge: picture(() => heic(box('mdat', Buffer.alloc(waysIn.heic.bytes))), /^413 payload_too_large/),
    'many-parted': picture(
      () => heic(...Array.from({ length: 100_000 }, () => box('free', Buffer.alloc(0)))),
      imageRefused,
    ),
    deep: picture(() => heic(nested(10_000)), imageRefused),
    ...notOfPictures,
  },
  picture: {
    huge: picture(plain(6_000), imageRefused),
    // Seven passes, each of which is kept until the last.
    'many-parted': picture(plain(3_400, { progressive: true }), /^20\d/),
    deep: 'A picture is flat.',
    ...notOfPictures,
  },
  ebay: answerRun('ebay', (host, timeoutMs) => ebayOf(host, timeoutMs).imports.readLiveIds!(access, null), {
    type: 'text/xml',
    gives: unavailable,
    huge: tooLarge,
  }),
  etsy: answerRun('etsy', (host, timeoutMs) => etsyOf(host, timeoutMs).imports.readLiveIds!(access, null), {
    gives: unavailable,
    huge: tooLarge,
  }),
  share: Object.fromEntries(kinds.map((kind) => [kind, 'Run in a browser by e2e/other-sites.test.ts.'])) as Run,
  pushKey: answerRun(
    'pushKey',
    (host, timeoutMs) =>
      createPushKeys({
        ...{ clientId: 'client', clientSecret: 'secret', apiUrl: host.url, fetch: fetchWithin(timeoutMs) },
        clock: () => performance.now(),
        store: { readAll: async () => [], store: async () => {}, delete: async () => {} },
      })('key', '192.0.2.1'),
    { gives: unavailable },
  ),
  service: answerRun(
    'service',
    (host, timeoutMs) =>
      readTwilioAccount({ url: host.url, accountSid: 'AC1', authToken: 'token', fetch: fetchWithin(timeoutMs) }),
    { gives: /^DeliveryError/ },
  ),
  fetchedPicture: answerRun(
    'fetchedPicture',
    (host, timeoutMs) => createFetchPicture({ platformOrigins: [host.url], timeoutMs })(`${host.url}/1.jpg`),
    { type: 'image/jpeg', gives: /^PictureError/ },
  ),
  webhookAnswer: answerRun(
    'webhookAnswer',
    (host, timeoutMs) => post(host.url, '{}', {}, { sandbox: true, timeoutMs }, new AbortController().signal),
    { gives: /^(?:PostError|answered)/, huge: /^answered/ },
  ),
  pushAnswer: answerRun(
    'pushAnswer',
    (host, timeoutMs) => safeRequest(new URL(host.url), { way: 'pushAnswer', isTrusted: true, timeoutMs }),
    { gives: /^(?:SafeRequestError|answered)/, huge: /^answered/ },
  ),
}
