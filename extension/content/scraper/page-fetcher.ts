import type { ContentScriptContext } from 'wxt/utils/content-script-context'
import type { PageTask, PageView } from '#extension/messaging/page-view.ts'
import { send } from '#extension/messaging/send.ts'
import type { PageAnswer, PageContext, PageProbe } from '#extension/platforms/port.ts'
import { showButton } from './button.ts'
import { fetchPage } from './fetch-page.ts'
import { requestView } from './request-view.ts'

/** Timeout in ms: a killed worker never answers. */
const workerTimeoutMs = 20_000

type Next =
  | { name: 'page.look' | 'page.import' }
  | { name: 'page.answer'; scrape_id: string; step: number; answer: PageAnswer }

/**
 * Fetches pages for the worker: reports the page context, fetches what the worker asks for, and shows the result. The
 * worker sets the pace, since browsers throttle timers of hidden tabs. It keeps no state, so the same request wakes the
 * next worker.
 */
export async function runPageFetcher(page: ContentScriptContext, probe: PageProbe): Promise<void> {
  const wakeUp = createWakeUp()
  const button = showButton(page, probe.platform, () => wakeUp.request('page.import'))
  page.addEventListener(window, 'wxt:locationchange', () => wakeUp.request('page.look'))
  page.addEventListener(document, 'visibilitychange', () => {
    if (document.visibilityState === 'visible') wakeUp.request('page.look')
  })
  let next: Next = { name: 'page.look' }
  let shown = false
  while (page.isValid) {
    const view = await requestView({
      isValid: () => page.isValid,
      ask: async () => withTimeout(ask(next, await readPageContext(probe))),
      pause: (ms) => pause(page, ms),
      async stuck(reason, againMs) {
        // Report trouble only where the button is visible.
        if (shown) button.show({ kind: 'stuck', reason })
        const name = await wakeUp.wait(againMs)
        // Keep a fetched answer and send it again.
        if (next.name !== 'page.answer') next = { name }
      },
    })
    if (!view) return
    shown = view.show.kind !== 'nothing'
    button.show(view.show)
    next = view.task ? await doTask(view.task, probe) : { name: await wakeUp.wait(view.look_again_ms) }
  }
}

async function doTask({ scrape_id, step, request }: PageTask, probe: PageProbe): Promise<Next> {
  return { name: 'page.answer', scrape_id, step, answer: await fetchPage(request, probe) }
}

function ask(next: Next, pageContext: PageContext): Promise<PageView> {
  if (next.name !== 'page.answer') return send(next.name, { pageContext })
  const { scrape_id, step, answer } = next
  return send('page.answer', { pageContext, scrape_id, step, answer })
}

async function readPageContext(list: PageProbe): Promise<PageContext> {
  const more = await list.more?.()
  const cookies = document.cookie.split('; ').map((pair) => {
    const at = pair.indexOf('=')
    return [pair.slice(0, at), pair.slice(at + 1)] as const
  })
  const texts = Object.entries(list.texts).flatMap(([name, selector]) => {
    const text = document.querySelector(selector)?.textContent
    return text ? [[name, text.slice(0, 1_000)] as const] : []
  })
  return {
    url: location.href.slice(0, 4_000),
    cookies: Object.fromEntries(
      cookies.filter(([name, value]) => list.cookies.includes(name) && value.length < 10_000),
    ),
    texts: { ...Object.fromEntries(texts), ...more },
  }
}

/** Waits for a request or a timeout. A click is never replaced by a mere look. */
function createWakeUp() {
  let requested: 'page.look' | 'page.import' | null = null
  let wake: (() => void) | null = null
  return {
    request(name: 'page.look' | 'page.import') {
      if (requested !== 'page.import') requested = name
      wake?.()
    },
    async wait(timeoutMs: number | null): Promise<'page.look' | 'page.import'> {
      if (requested === null) {
        await new Promise<void>((resolve) => {
          wake = resolve
          if (timeoutMs !== null) setTimeout(resolve, timeoutMs)
        })
      }
      const name = requested ?? 'page.look'
      requested = null
      wake = null
      return name
    },
  }
}

function withTimeout<T>(promise: Promise<T>): Promise<T> {
  return Promise.race([
    promise,
    new Promise<never>((_, reject) => setTimeout(() => reject(new Error('The worker is silent.')), workerTimeoutMs)),
  ])
}

function pause(page: ContentScriptContext, ms: number): Promise<void> {
  if (ms === 0) return Promise.resolve()
  return new Promise((resolve) => page.setTimeout(resolve, ms))
}
