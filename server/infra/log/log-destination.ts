import fs from 'node:fs'
import { dirname } from 'node:path'
import { type DestinationStream, pino } from 'pino'

interface LogFileOptions {
  /** Size at which a new file begins. */
  maxBytes?: number
  /** Files kept, including the current one: `hapax.log`, `hapax.log.1`, … */
  files?: number
}

interface LogFile extends DestinationStream {
  close(): void
}

/** Bytes buffered for a blocked standard output; later lines are dropped. */
const maxWaitingBytes = 1_000_000

/** Mode of log files, which name accounts and addresses. */
const ownerOnly = 0o600

/**
 * Writes log lines to a file and rotates it by size, so that logs cannot fill the disk. On a full disk, lines are
 * dropped and counted; the next written line reports the loss. Only opening throws: unlike pino's own destination, a
 * log must not end its process.
 */
export function openLogFile(path: string, { maxBytes = 20_000_000, files = 5 }: LogFileOptions = {}): LogFile {
  fs.mkdirSync(dirname(path), { recursive: true })
  let fd = fs.openSync(path, 'a', ownerOnly)
  let bytes = fs.fstatSync(fd).size
  let isCut = false
  const losses = createLosses()

  const append = (text: string) => {
    const data = Buffer.from(text)
    for (let written = 0; written < data.length; ) {
      const count = fs.writeSync(fd, data, written)
      written += count
      bytes += count
      isCut = written < data.length
    }
  }
  /** Creates the next file before moving any: on a full disk all stay as they are. */
  const beginNext = () => {
    const next = fs.openSync(`${path}.next`, 'w', ownerOnly)
    for (let number = files - 1; number > 0; number--) {
      const from = number === 1 ? path : `${path}.${number - 1}`
      if (fs.existsSync(from)) fs.renameSync(from, `${path}.${number}`)
    }
    fs.renameSync(`${path}.next`, path)
    fs.closeSync(fd)
    fd = next
    bytes = 0
    isCut = false
  }

  return {
    write(line) {
      try {
        if (bytes > 0 && bytes + Buffer.byteLength(line) > maxBytes) beginNext()
        append(`${isCut ? '\n' : ''}${losses.report()}${line}`)
        losses.clear()
      } catch (error) {
        losses.add(error)
      }
    },
    close: () => fs.closeSync(fd),
  }
}

/** Writes log lines to standard output. Output that blocks (a full disk) is buffered within bounds, then dropped. */
export function openLogOutput(fd = 1): DestinationStream {
  const losses = createLosses()
  const output = pino.destination({ fd, sync: false, maxLength: maxWaitingBytes })
  let failure: unknown = null
  output.on('error', (error) => {
    failure = error
  })
  output.on('drop', () => losses.add(failure))
  output.on('write', () => {
    const report = losses.report()
    if (report === '') return
    losses.clear()
    output.write(report)
  })
  return output
}

/** Counts lost lines and reports them in one line. */
function createLosses() {
  let lost = 0
  let reason: unknown
  return {
    add(error: unknown) {
      lost++
      reason = (error as NodeJS.ErrnoException | null)?.code ?? String(error)
    },
    report: () =>
      lost === 0
        ? ''
        : `${JSON.stringify({ level: 'warn', time: new Date().toISOString(), lost, reason, msg: 'log lines were lost: the log could not be written' })}\n`,
    clear() {
      lost = 0
    },
  }
}
