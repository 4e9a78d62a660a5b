import { once } from 'node:events'
import { connect } from 'node:net'

/** A connection to the listener that speaks line by line, from an address of this machine. */
export async function openSmtp(port: number, localAddress = '127.0.0.1') {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  socket.setEncoding('utf8')
  socket.on('error', () => {})
  let text = ''
  let isClosed = false
  const heard = new EventTarget()
  socket.on('data', (chunk: string) => {
    text += chunk
    heard.dispatchEvent(new Event('heard'))
  })
  socket.on('close', () => {
    isClosed = true
    heard.dispatchEvent(new Event('heard'))
  })
  /** Returns the code of the next answer; null when the connection is closed. */
  const answer = async (): Promise<number | null> => {
    for (;;) {
      const [whole, code] = /^(?:\d{3}-.*\r\n)*(\d{3}) .*\r\n/.exec(text) ?? []
      if (whole !== undefined) {
        text = text.slice(whole.length)
        return Number(code)
      }
      if (isClosed) return null
      await once(heard, 'heard')
    }
  }
  const say = (line: string) => {
    socket.write(`${line}\r\n`)
    return answer()
  }
  const greeting = await answer()
  return { greeting, answer, say, write: (bytes: string) => socket.write(bytes), close: () => socket.destroy() }
}
