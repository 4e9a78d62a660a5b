/** A call limit that was reached: the application's for one call name, or one seller's. */
interface CallRefusal {
  of: 'call' | 'shop'
  /** Until the window ends. */
  waitMs: number
}

/** Trading answers begin with their errors. */
const headBytes = 2_048
/** Used when eBay states no time: the longest short window that eBay documents for a seller's calls. */
const shortWindowMs = 30_000

/**
 * Detects a call limit that a Trading answer reports with HTTP 200. Error 518 blocks the application's calls of this
 * name until midnight in California. Error 21919144 blocks one seller's calls for a short window. Consumes only the
 * beginning of the body; the returned `response` still has all of it.
 */
export async function readCallRefusal(
  answer: Response,
  now: Date,
): Promise<{ response: Response; refusal: CallRefusal | null }> {
  if (answer.status !== 200 || !answer.body) return { response: answer, refusal: null }
  const reader = answer.body.getReader()
  const head: Uint8Array[] = []
  let bytes = 0
  let isWhole = false
  while (bytes < headBytes && !isWhole) {
    const { done, value } = await reader.read()
    if (value) {
      head.push(value)
      bytes += value.byteLength
    }
    isWhole = done
  }
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const first = head.shift()
      if (first) return controller.enqueue(first)
      const { done, value } = isWhole ? { done: true, value: undefined } : await reader.read()
      if (value) controller.enqueue(value)
      if (done) controller.close()
    },
    cancel: (reason) => reader.cancel(reason),
  })
  const refusal = refusalIn(
    Buffer.concat(head)
      .subarray(0, 4 * headBytes)
      .toString('utf8'),
    now,
  )
  const { status, statusText, headers } = answer
  return { response: new Response(body, { status, statusText, headers }), refusal }
}

function refusalIn(head: string, now: Date): CallRefusal | null {
  if (!/<Ack>(Failure|PartialFailure)<\/Ack>/.test(head)) return null
  if (head.includes('<ErrorCode>21919144</ErrorCode>'))
    return { of: 'shop', waitMs: statedWaitMs(head) ?? shortWindowMs }
  if (head.includes('<ErrorCode>518</ErrorCode>')) return { of: 'call', waitMs: untilNextDayMs(now) }
  return null
}

const unitsMs: Record<string, number> = { second: 1_000, minute: 60_000, hour: 3_600_000, day: 86_400_000 }

/** Parses a wait such as "Try back after 15 seconds" into milliseconds, a day at most; null if none is stated. */
export function statedWaitMs(text: string): number | null {
  const [, count, unit = ''] = /after (\d{1,6}) (second|minute|hour|day)/i.exec(text) ?? []
  return count ? Math.min(Number(count) * unitsMs[unit.toLowerCase()]!, unitsMs.day!) : null
}

/** Returns the milliseconds until midnight in California. */
export function untilNextDayMs(now: Date): number {
  const parts = new Intl.DateTimeFormat('en-US', { ...hourMinuteSecond, timeZone: 'America/Los_Angeles' })
  const [hours = 0, minutes = 0, seconds = 0] = parts.format(now).split(':').map(Number)
  return unitsMs.day! - (hours * 3_600 + minutes * 60 + seconds) * 1_000
}

const hourMinuteSecond = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const
