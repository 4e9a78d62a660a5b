import type { Services } from '#server/services.ts'

type Listening = Awaited<ReturnType<Services['db']['connect']>>

const againAfterMs = 5_000

/**
 * Calls `onNotice` whenever a transaction that ordered something for a platform commits. A connection that is lost is
 * made again; what is missed meanwhile the poll finds (faults F12).
 */
export function listenForIntents({ db, log }: Pick<Services, 'db' | 'log'>, onNotice: () => void) {
  let stopped = false
  let connection: Listening | null = null
  let timer: NodeJS.Timeout | undefined

  const listen = async () => {
    const made = await db.connect({
      direct: true,
      onLost: () => {
        connection = null
        later()
      },
    })
    if (stopped) return void made.done()
    connection = made
    made.client.on('notification', onNotice)
    await made.none('listen listing_intent')
    onNotice()
  }
  const later = () => {
    if (!stopped) timer = setTimeout(begin, againAfterMs)
  }
  const begin = () => {
    listen().catch((error: unknown) => {
      if (stopped) return
      log.warn({ err: error }, 'notices of listing intents are not heard; trying again')
      later()
    })
  }
  begin()
  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
      const ending = connection
      connection = null
      ending?.client.removeListener('notification', onNotice)
      await ending?.done(true)
    },
  }
}
