import type { ContentScriptContext } from 'wxt/utils/content-script-context'
import type { PageTask, PageView } from '#extension/messaging/page-view.ts'
import { send } from '#extension/messaging/send.ts'
import type { ClueList, Clues, PageAnswer } from '#extension/platforms/port.ts'
import { showButton } from './button.ts'
import { fetchPage } from './fetch-page.ts'
import { insistOnView } from './request-view.ts'

/** How long to wait for the worker's word: a killed one answers never. */
const workerTimeoutMs = 20_000

type Next =
  | { name: 'page.look' | 'page.import' }
  | { name: 'page.answer'; run_id: string; step: number; answer: PageAnswer }

/**
 * The hands of the worker in a page: tells what the page shows, fetches what it is told to, and shows what comes of
 * it. The worker sets the pace (browsers slow down the clocks of hidden tabs, not its). Nothing is kept here: when the
 * worker dies, the same question wakes the next one.
 */
export async function lendHands(page: ContentScriptContext, clueList: ClueList): Promise<void> {
  const bell = createBell()
  const button = showButton(page, clueList.platform, () => bell.ring('page.import'))
  page.addEventListener(window, 'wxt:locationchange', () => bell.ring('page.look'))
  page.addEventListener(document, 'visibilitychange', () => {
    if (document.visibilityState === 'visible') bell.ring('page.look')
  })
  let next: Next = { name: 'page.look' }
  let shown = false
  while (page.isValid) {
    const view = await insistOnView({
      isValid: () => page.isValid,
      ask: async () => withTimeout(tell(next, await readClues(clueList))),
      pause: (ms) => pause(page, ms),
      async stuck(reason, againMs) {
        // Where nothing of ours is shown, nothing is to be told.
        if (shown) button.show({ kind: 'stuck', reason })
        const name = await bell.wait(againMs)
        // What was fetched is not fetched again.
        if (next.name !== 'page.answer') next = { name }
      },
    })
    if (!view) return
    shown = view.show.kind !== 'nothing'
    button.show(view.show)
    next = view.task ? await doTask(view.task, clueList) : { name: await bell.wait(view.look_again_ms) }
  }
}

async function doTask({ run_id, step, request }: PageTask, clueList: ClueList): Promise<Next> {
  return { name: 'page.answer', run_id, step, answer: await fetchPage(request, clueList) }
}

function tell(next: Next, clues: Clues): Promise<PageView> {
  if (next.name !== 'page.answer') return send(next.name, { clues })
  const { run_id, step, answer } = next
  return send('page.answer', { clues, run_id, step, answer })
}

async function readClues(list: ClueList): Promise<Clues> {
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

/** Waits for a ring or for the time; a press of the button is never lost to a mere look. */
function createBell() {
  let rung: 'page.look' | 'page.import' | null = null
  let wake: (() => void) | null = null
  return {
    ring(name: 'page.look' | 'page.import') {
      if (rung !== 'page.import') rung = name
      wake?.()
    },
    async wait(timeoutMs: number | null): Promise<'page.look' | 'page.import'> {
      if (rung === null) {
        await new Promise<void>((resolve) => {
          wake = resolve
          if (timeoutMs !== null) setTimeout(resolve, timeoutMs)
        })
      }
      const name = rung ?? 'page.look'
      rung = null
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
