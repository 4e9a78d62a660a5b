import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

export interface ImapServer {
  port: number
  /** Adds a mail to the folder, and tells idle clients. */
  add(raw: string, given?: { date?: Date }): void
  /** Makes the folder anew: another UIDVALIDITY, and UIDs from 1. */
  renumber(): void
  connections(): number
  /** Commands that arrived, without their tags and arguments. */
  commands: string[]
  /** Ends all connections. */
  cut(): void
  /** Answers a sign-in with these words instead. */
  refuseWith(words: string | null): void
  close(): Promise<void>
}

interface StoredMail {
  uid: number
  raw: Buffer
  date: Date
}

/**
 * Greetings and capabilities of servers, from published sessions: Gmail (mikeboers.com/blog/2014/10/14/google-status), Dovecot
 * (a question about a Raspberry Pi on unix.stackexchange), Microsoft 365 and Yahoo (postalsys/imapflow, test transcripts).
 */
const flavors = {
  plain: { greeting: 'ready', before: 'IMAP4rev1 IDLE', after: 'IMAP4rev1 IDLE', id: null },
  gmail: {
    greeting: 'Gimap ready for requests from 203.0.113.7 zh1mb1',
    before: 'IMAP4rev1 UNSELECT IDLE NAMESPACE QUOTA ID XLIST CHILDREN X-GM-EXT-1 XYZZY SASL-IR AUTH=XOAUTH2',
    after: 'IMAP4rev1 UNSELECT IDLE NAMESPACE QUOTA ID XLIST CHILDREN X-GM-EXT-1 UIDPLUS COMPRESS=DEFLATE',
    id: '("name" "GImap" "vendor" "Google, Inc.")',
  },
  dovecot: {
    greeting: '[CAPABILITY IMAP4rev1 LITERAL+ SASL-IR LOGIN-REFERRALS ID ENABLE IDLE] Dovecot ready.',
    before: 'IMAP4rev1 LITERAL+ SASL-IR LOGIN-REFERRALS ID ENABLE IDLE',
    after:
      'IMAP4rev1 LITERAL+ SASL-IR LOGIN-REFERRALS ID ENABLE IDLE SORT CHILDREN NAMESPACE UIDPLUS ESEARCH SPECIAL-USE',
    id: '("name" "Dovecot")',
  },
  exchange: {
    greeting: 'The Microsoft Exchange IMAP4 service is ready. [TQBOADIAUABSADAAMQBDAEEAMAAwADAANwA=]',
    before: 'IMAP4 IMAP4rev1 SASL-IR UIDPLUS ID UNSELECT CHILDREN IDLE NAMESPACE LITERAL+',
    after: 'IMAP4 IMAP4rev1 SASL-IR UIDPLUS MOVE ID UNSELECT CHILDREN IDLE NAMESPACE LITERAL+',
    id: '("name" "Microsoft.Exchange.Imap4.Imap4Server" "version" "15.20")',
  },
  // Without IDLE.
  yahoo: {
    greeting: '[CAPABILITY IMAP4rev1 ID MOVE NAMESPACE UIDPLUS LITERAL+ CHILDREN UNSELECT] IMAP4rev1 Hello',
    before: 'IMAP4rev1 ID MOVE NAMESPACE UIDPLUS LITERAL+ CHILDREN UNSELECT',
    after: 'IMAP4rev1 ID MOVE NAMESPACE UIDPLUS LITERAL+ CHILDREN UNSELECT',
    id: 'NIL',
  },
} as const
type ImapFlavor = keyof typeof flavors

const login = { user: 'wilma', password: 'app password', folder: 'Sales' }

/**
 * Starts an IMAP server (RFC 3501, IDLE of RFC 2177) on 127.0.0.1 with one account and one folder. It knows the commands
 * of a client that reads, and refuses every other.
 */
export async function startImapServer(flavor: ImapFlavor = 'plain'): Promise<ImapServer> {
  const { greeting, before, after, id } = flavors[flavor]
  const sockets = new Set<Socket>()
  const idle = new Set<Socket>()
  const commands: string[] = []
  let mails: StoredMail[] = []
  let [validity, next] = [1_000, 1]
  let refusal: string | null = null

  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      sockets.delete(socket)
      idle.delete(socket)
    })
    const say = (line: string) => socket.write(`${line}\r\n`)
    let [signedIn, selected, idleTag] = [false, false, '']

    const handle = (line: string) => {
      if (idleTag !== '') {
        if (/^DONE$/i.test(line)) {
          idle.delete(socket)
          say(`${idleTag} OK IDLE ended`)
          idleTag = ''
        }
        return
      }
      const [, tag = '*', verb = '', rest = ''] = /^(\S+) ((?:UID )?\S+) ?(.*)$/i.exec(line) ?? []
      const command = verb.toUpperCase()
      commands.push(command)
      if (command === 'CAPABILITY') {
        say(`* CAPABILITY ${signedIn ? after : before}`)
        return say(`${tag} OK done`)
      }
      if (command === 'ID' && id !== null) {
        say(`* ID ${id}`)
        return say(`${tag} OK done`)
      }
      if (command === 'NOOP') return say(`${tag} OK done`)
      if (command === 'LOGOUT') {
        say('* BYE bye')
        say(`${tag} OK done`)
        return socket.end()
      }
      if (command === 'LOGIN') {
        if (refusal !== null) return say(`${tag} NO ${refusal}`)
        signedIn = rest === `"${login.user}" "${login.password}"`
        return say(signedIn ? `${tag} OK signed in` : `${tag} NO [AUTHENTICATIONFAILED] Invalid credentials`)
      }
      if (!signedIn) return say(`${tag} NO sign in first`)
      if (command === 'NAMESPACE' && after.includes('NAMESPACE')) {
        say('* NAMESPACE (("" "/")) NIL NIL')
        return say(`${tag} OK done`)
      }
      if (command === 'LIST' || command === 'LSUB' || (command === 'XLIST' && after.includes('XLIST'))) {
        // An empty name asks for the delimiter alone.
        say(rest === '"" ""' ? `* ${command} (\\Noselect) "/" ""` : `* ${command} () "/" ${login.folder}`)
        return say(`${tag} OK done`)
      }
      if (command === 'EXAMINE') {
        if (rest.replaceAll('"', '') !== login.folder) return say(`${tag} NO [NONEXISTENT] There is no such folder`)
        selected = true
        say('* FLAGS (\\Seen)')
        say(`* ${mails.length} EXISTS`)
        say('* 0 RECENT')
        say(`* OK [UIDVALIDITY ${validity}] valid`)
        say(`* OK [UIDNEXT ${next}] next`)
        return say(`${tag} OK [READ-ONLY] done`)
      }
      if (!selected) return say(`${tag} BAD select a folder first`)
      if (command === 'IDLE' && after.includes('IDLE')) {
        idleTag = tag
        idle.add(socket)
        return say('+ idling')
      }
      if (command === 'UID SEARCH') {
        say(
          `* SEARCH${search(rest, mails)
            .map((uid) => ` ${uid}`)
            .join('')}`,
        )
        return say(`${tag} OK done`)
      }
      if (command === 'UID FETCH') {
        const [, set = '', items = ''] = /^(\S+) (.*)$/.exec(rest) ?? []
        for (const mail of inSet(set, mails)) socket.write(fetched(mail, mails.indexOf(mail) + 1, items))
        return say(`${tag} OK done`)
      }
      return say(`${tag} BAD unknown command`)
    }

    let buffered = ''
    socket.on('data', (chunk) => {
      buffered += chunk.toString('latin1')
      for (let end = buffered.indexOf('\r\n'); end !== -1; end = buffered.indexOf('\r\n')) {
        const line = buffered.slice(0, end)
        buffered = buffered.slice(end + 2)
        handle(line)
      }
    })
    say(`* OK ${greeting}`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    commands,
    add(raw, { date = new Date() } = {}) {
      mails.push({ uid: next++, raw: Buffer.from(raw), date })
      for (const socket of idle) socket.write(`* ${mails.length} EXISTS\r\n`)
    },
    renumber() {
      validity++
      mails = mails.map((mail, index) => ({ ...mail, uid: index + 1 }))
      next = mails.length + 1
    },
    connections: () => sockets.size,
    cut() {
      for (const socket of sockets) socket.destroy()
    },
    refuseWith(words) {
      refusal = words
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

function search(query: string, mails: readonly StoredMail[]): number[] {
  const since = /SINCE "?(\d{1,2})-(\w{3})-(\d{4})"?/i.exec(query)
  const uids = /UID (\S+)/i.exec(query)
  if (since) {
    const from = Date.UTC(Number(since[3]), months.indexOf(since[2]!), Number(since[1]))
    return mails.filter(({ date }) => date.getTime() >= from).map(({ uid }) => uid)
  }
  return inSet(uids?.[1] ?? '', mails).map(({ uid }) => uid)
}

/** The end of a range may be before its start: `7:*` names the last mail even if it is the sixth. */
function inSet(set: string, mails: readonly StoredMail[]): StoredMail[] {
  const last = mails.at(-1)?.uid ?? 0
  const ranges = set.split(',').map((part) => {
    const ends = part.split(':').map((end) => (end === '*' ? last : Number(end)))
    return [Math.min(...ends), Math.max(...ends)] as const
  })
  return mails.filter(({ uid }) => ranges.some(([from, to]) => uid >= from && uid <= to))
}

function fetched({ uid, raw, date }: StoredMail, sequence: number, items: string): Buffer {
  const parts: Buffer[] = [Buffer.from(`* ${sequence} FETCH (UID ${uid}`)]
  if (/RFC822\.SIZE/i.test(items)) parts.push(Buffer.from(` RFC822.SIZE ${raw.length}`))
  if (/INTERNALDATE/i.test(items)) parts.push(Buffer.from(` INTERNALDATE "${date.toUTCString()}"`))
  if (/ENVELOPE/i.test(items)) parts.push(Buffer.from(` ENVELOPE ${envelopeOf(raw.toString('latin1'))}`))
  const body = /BODY\.PEEK\[\](?:<(\d+)\.(\d+)>)?/i.exec(items)
  if (body) {
    const start = Number(body[1] ?? 0)
    const bytes = raw.subarray(start, start + Number(body[2] ?? raw.length))
    parts.push(Buffer.from(` BODY[]${body[1] === undefined ? '' : `<${start}>`} {${bytes.length}}\r\n`), bytes)
  }
  return Buffer.concat([...parts, Buffer.from(')\r\n')])
}

function envelopeOf(mail: string): string {
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(mail)?.[1]?.trim() ?? ''
  const quoted = (text: string) => (text === '' ? 'NIL' : `"${text.replace(/[\\"]/g, '\\$&')}"`)
  const [, name = '', local = '', host = ''] = /^"?(.*?)"? ?<([^@>]*)@([^>]*)>$/.exec(header('From')) ?? []
  const from = `((${quoted(name)} NIL ${quoted(local)} ${quoted(host)}))`
  return `(${quoted(header('Date'))} ${quoted(header('Subject'))} ${from} ${from} ${from} NIL NIL NIL NIL NIL)`
}

/** The access to the account of the server. */
export const imapAccess = (server: Pick<ImapServer, 'port'>) => ({
  ...login,
  host: '127.0.0.1',
  port: server.port,
  tls: 'none' as const,
})
