import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'

interface ReceivedMail {
  from: string
  to: string[]
  /** Headers and body as sent, lines joined by \n. */
  data: string
}

export interface SmtpSandbox {
  url: string
  mails: ReceivedMail[]
  /** Answers the next `times` DATA commands with this line instead of accepting the mail. */
  refuseNext(line: string, times?: number): void
  close(): Promise<void>
}

/** Starts an SMTP server that stores mail: enough of RFC 5321 for a client that sends, with AUTH PLAIN. */
export async function startSmtpSandbox(login: { user: string; password: string } | null = null): Promise<SmtpSandbox> {
  const mails: ReceivedMail[] = []
  const refusals: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    handleConnection(socket, mails, refusals, login)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mails,
    refuseNext: (line, times = 1) => void refusals.push(...Array<string>(times).fill(line)),
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function handleConnection(
  socket: Socket,
  mails: ReceivedMail[],
  refusals: string[],
  login: { user: string; password: string } | null,
): void {
  const say = (line: string) => socket.write(`${line}\r\n`)
  let buffered = ''
  let mail: ReceivedMail = { from: '', to: [], data: '' }
  let inData = false

  function handleLine(line: string): void {
    if (inData) {
      if (line !== '.') {
        mail.data += `${line.replace(/^\./, '')}\n`
        return
      }
      inData = false
      const refusal = refusals.shift()
      if (refusal === undefined) mails.push(mail)
      mail = { from: '', to: [], data: '' }
      say(refusal ?? '250 stored')
      return
    }
    const verb = line.slice(0, 4).toUpperCase()
    if (verb === 'EHLO' && login) say('250-sandbox\r\n250 AUTH PLAIN')
    else if (verb === 'EHLO' || verb === 'HELO') say('250 sandbox')
    else if (verb === 'AUTH') {
      const wanted = Buffer.from(`\0${login?.user}\0${login?.password}`).toString('base64')
      say(line === `AUTH PLAIN ${wanted}` ? '235 signed in' : '535 wrong name or password')
    } else if (verb === 'MAIL') {
      mail.from = /<([^<>]*)>/.exec(line)?.[1] ?? ''
      say('250 ok')
    } else if (verb === 'RCPT') {
      mail.to.push(/<([^<>]*)>/.exec(line)?.[1] ?? '')
      say('250 ok')
    } else if (verb === 'DATA') {
      inData = true
      say('354 send the mail')
    } else if (verb === 'QUIT') {
      say('221 bye')
      socket.end()
    } else if (verb === 'STAR') say('502 no TLS here')
    else say('250 ok')
  }

  socket.on('data', (chunk) => {
    buffered += chunk.toString('utf8')
    for (let end = buffered.indexOf('\r\n'); end !== -1; end = buffered.indexOf('\r\n')) {
      const line = buffered.slice(0, end)
      buffered = buffered.slice(end + 2)
      handleLine(line)
    }
  })
  say('220 sandbox')
}
