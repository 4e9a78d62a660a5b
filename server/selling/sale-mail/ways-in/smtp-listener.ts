import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import type { SMTPServerDataStream } from 'smtp-server'
import type { Config } from '#server/config.ts'
import { limitKey } from '#server/http/client-address.ts'
import type { Queries } from '#server/infra/db/index.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { createFairLimit } from '#server/infra/fair-limit.ts'
import { type WayIn, waysIn } from '#server/infra/ways-in/ways-in.ts'
import type { Services } from '#server/services.ts'
import { findSeller } from '../address.ts'
import { isKnownSender } from '../known-senders.ts'
import { maxReadBytes } from '../reading/parse-mail.ts'
import { NoRoomError, requireDisk, requireRoom, storeMail, tellOfRefusedMails } from '../store-mail.ts'

/** Places that only networks get which brought believed mail before. */
const keptPlaces = 20
/** Commands of a connection before its first mail, and after each. */
const maxCommands = 100
/** Mails that one network may bring within ten minutes: mail services forward for many sellers. */
const pace = { points: 20_000, duration: 600 }
const maxRecipients = 10
/** Mails that are stored at once: those to one account wait for each other, each with a connection to the database. */
const storedAtOnce = 4

interface SaleMailListener {
  port: number
  stop(): Promise<void>
}

/** A connection, and what came of it. */
interface Visit {
  network: string
  /** Ends the connection that brings no mail. */
  timer: NodeJS.Timeout
  /** Commands since the last mail. */
  commands: number
  mails: number
  /** Answers with these codes. */
  refused: Record<string, number>
}

/** Returns an error with the code that the sender is told. Senders try again after a code that begins with 4. */
const refusal = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode })

/**
 * Takes mails to sellers' addresses by SMTP. A mail is accepted once it is stored for each of them; nothing is relayed.
 * TLS is offered by STARTTLS. Writes a line to the log for each connection that was refused something.
 */
export async function startSmtpListener(
  services: Services,
  port: number,
  { giveUpMs, atOnce }: Pick<Required<WayIn>, 'giveUpMs' | 'atOnce'> = waysIn.smtp,
): Promise<SaleMailListener> {
  const { config, log, db } = services
  const limiter = new RateLimiterMemory(pace)
  const inTurn = createFairLimit({ width: storedAtOnce, costlyWidth: storedAtOnce })
  const visits = new Map<string, Visit>()
  const sellers = new WeakMap<object, Map<string, number>>()

  /** Answers a failed step. */
  const answer = (error: unknown, done: (error: Error) => void) => {
    if (error instanceof NoRoomError) {
      const { user_id, message } = error
      const told = user_id === null ? Promise.resolve() : tellOfRefusedMails(services, user_id)
      told
        .catch((cause: unknown) => log.error({ err: cause }, 'a seller could not be told of refused mails'))
        .finally(() => done(refusal(452, `${user_id === null ? '4.3.1' : '4.2.2'} ${message}`)))
      return
    }
    if (error instanceof Error && 'responseCode' in error) return done(error)
    // The sender has left in the middle of a mail.
    if (error instanceof Error && 'code' in error && error.code === 'ECONNECTION') return done(error)
    log.error({ err: error }, 'a sale mail could not be stored')
    return done(refusal(451, 'Try again later'))
  }
  const end = (id: string, message: string) =>
    [...server.connections].find(({ session }) => session.id === id)?.send(421, message)
  const requirePlace = async (network: string) => {
    const own = [...visits.values()].filter((visit) => visit.network === network).length
    const isFull =
      visits.size > atOnce.all || (visits.size > atOnce.all - keptPlaces && !(await isKnownSender(db, network)))
    if (own > atOnce.each || isFull) throw refusal(421, 'Too many connections, try again later')
  }

  const { SMTPServer } = await import('smtp-server')
  const server = new SMTPServer({
    name: config.SALE_MAIL_DOMAIN ?? 'localhost',
    banner: 'Hapax sale mail',
    ...(await readCertificate(config)),
    size: waysIn.smtp.bytes,
    authOptional: true,
    disabledCommands: ['AUTH'],
    // The sandbox delivers on this machine. With the library's own certificate its console would begin with a warning.
    hideSTARTTLS: config.sandbox,
    disableReverseLookup: true,
    // Those above `atOnce` are refused by a line of the log.
    maxClients: 2 * atOnce.all,
    socketTimeout: 60_000,
    closeTimeout: 1_000,
    logger: {
      ...silent,
      debug({ tnx, cid }: { tnx?: string; cid?: string }, _text: string, payload: string) {
        const visit = visits.get(cid ?? '')
        if (!visit) return
        const code = tnx === 'send' ? /^[45]\d\d/.exec(payload)?.[0] : undefined
        if (code) visit.refused[code] = (visit.refused[code] ?? 0) + 1
        if (tnx === 'command' && ++visit.commands === maxCommands) end(cid!, 'Too many commands')
      },
    },
    onConnect({ id, remoteAddress }, done) {
      const timer = setTimeout(() => end(id, 'No mail came in time'), giveUpMs)
      const network = limitKey(remoteAddress)
      visits.set(id, { network, timer, commands: 0, mails: 0, refused: {} })
      requirePlace(network).then(
        () => done(),
        (error: unknown) => answer(error, done),
      )
    },
    onClose({ id }) {
      const visit = visits.get(id)
      if (!visit) return
      visits.delete(id)
      const { timer, refused, ...shown } = visit
      clearTimeout(timer)
      if (Object.keys(refused).length > 0) log.info({ ...shown, refused }, waysIn.smtp.logged)
    },
    onMailFrom(_address, session, done) {
      sellers.delete(session)
      const step = async () => {
        requireDisk(services)
        await limiter.consume(limitKey(session.remoteAddress)).catch(() => {
          throw refusal(451, 'Too many mails, try again later')
        })
      }
      step().then(
        () => done(),
        (error: unknown) => answer(error, done),
      )
    },
    onRcptTo({ address }, session, done) {
      const step = async () => {
        const seller = await findSeller(services, address)
        const found = sellers.get(session) ?? new Map<string, number>()
        if (seller === 'none') throw refusal(554, '5.7.1 Nothing is relayed')
        if (seller === 'unknown') throw refusal(550, '5.1.1 No such address')
        if (found.size >= maxRecipients) throw refusal(452, '4.5.3 Too many recipients')
        await requireRoom(db, seller.user_id)
        sellers.set(session, found.set(address.toLowerCase(), seller.user_id))
      }
      step().then(
        () => done(),
        (error: unknown) => answer(error, done),
      )
    },
    onData(stream, session, done) {
      // In one order, or two mails could wait for each other.
      const user_ids = [...new Set(sellers.get(session)?.values())].sort((one, other) => one - other)
      const visit = visits.get(session.id)
      sellers.delete(session)
      receive(stream)
        .then(async ({ raw, size }) => {
          if (stream.sizeExceeded) throw refusal(552, `A mail may have ${waysIn.smtp.bytes} bytes`)
          const store = async (tx: Queries) => {
            for (const user_id of user_ids)
              await storeMail(services, tx, { user_id, via: 'smtp', raw, size, network: visit?.network })
          }
          await inTurn(visit?.network ?? '', false, () => transaction(db, 'store-mails', store))
          if (!visit) return
          visit.timer.refresh()
          visit.commands = 0
          visit.mails++
        })
        .then(
          () => done(null, 'stored'),
          (error: unknown) => answer(error, done),
        )
    },
  })
  // A sender that leaves in the middle, or speaks no SMTP.
  server.on('error', (error: Error) => log.debug({ err: error }, 'a connection with a sale mail failed'))
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject)
    server.listen(port, config.HOST, resolve)
  })
  return {
    port: (server.server.address() as AddressInfo).port,
    stop: () => new Promise((resolve) => server.close(resolve)),
  }
}

const silent = Object.fromEntries(
  ['trace', 'info', 'warn', 'error', 'fatal'].map((level) => [level, () => {}]),
) as Record<'trace' | 'info' | 'warn' | 'error' | 'fatal', () => void>

/** Reads a mail to its end, and keeps at most as much as is read later. */
async function receive(stream: SMTPServerDataStream): Promise<{ raw: Buffer; size: number }> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    if (size < maxReadBytes) chunks.push(chunk)
    size += chunk.length
  }
  return { raw: Buffer.concat(chunks), size }
}

/** Returns the certificate of the operator, if any. Errors name the setting. */
async function readCertificate(config: Config): Promise<{ cert?: Buffer; key?: Buffer }> {
  const { SALE_MAIL_CERT_FILE: cert, SALE_MAIL_KEY_FILE: key } = config
  if (cert === undefined || key === undefined) return {}
  const read = (setting: string, path: string) =>
    readFile(path).catch((cause: unknown) => {
      throw new Error(`${setting}: the file ${path} cannot be read.`, { cause })
    })
  return { cert: await read('SALE_MAIL_CERT_FILE', cert), key: await read('SALE_MAIL_KEY_FILE', key) }
}
